// Which origins may read answers in a browser.
import { expect, test } from '@jest/globals'
import { corsOrigins } from './start-http.ts'

test.each([
  ['the console on an address of its own', 'https://app.example/', [], ['https://app.example']],
  [
    'one beside those that are listed',
    'https://app.example:8443',
    ['https://x.example'],
    ['https://x.example', 'https://app.example:8443'],
  ],
  ['none where it shares the address of the API', 'https://api.example', [], []],
  ['none where no address is set', undefined, [], []],
])('ui.md 1: %s', (_what, authUrl, listed, expected) => {
  const values = { WDS_BASE_URL: 'https://api.example', WDS_AUTH_URL: authUrl, WDS_CORS_ORIGINS: listed }
  expect(corsOrigins(values)).toEqual(expected)
})
