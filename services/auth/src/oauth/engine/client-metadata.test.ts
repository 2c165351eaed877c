// How a client secret is compared: what an answer's time could tell is the same for every wrong one.
import * as crypto from 'node:crypto'
import { expect, jest, test } from '@jest/globals'

const { hash } = crypto
const compared: [given: string, known: string][] = []
jest.unstable_mockModule('node:crypto', () => ({
  ...crypto,
  timingSafeEqual: (a: Uint8Array, b: Uint8Array) => {
    compared.push([Buffer.from(a).toString('hex'), Buffer.from(b).toString('hex')])
    return crypto.timingSafeEqual(a, b)
  },
}))
const { matchingSecret, toClientMetadata } = await import('./client-metadata.ts')

const digestOf = (text: string) => hash('sha256', text, 'hex')
const [older, newer] = ['wds_older', 'wds_newer']
const secrets = [older, newer].map((text, at) => ({ id: `sec_${at}`, digest: digestOf(text) }))

test.each([
  ['the right one', newer, 'sec_1'],
  ['the older one, which does not end the search', older, 'sec_0'],
  ['one that begins alike', `${newer.slice(0, -1)}x`, null],
  ['one that ends alike', `x${newer.slice(1)}`, null],
  ['one of another length', 'x', null],
  ['none', '', null],
  ['a digest that leaked', digestOf(newer), null],
])('S28: %s is compared by its digest with that of every live secret, in constant time', (_, presented, found) => {
  compared.length = 0
  expect(matchingSecret(secrets, presented)?.id ?? null).toBe(found)
  expect(compared).toEqual(secrets.map(({ digest }) => [digestOf(presented), digest]))
})

test('W9: neither logo nor name is told to the engine, which would refuse an app for a relative address', () => {
  const app = { appId: 'app_1', clientId: 'cli_1', workspaceId: 'wsp_1', workspaceName: 'Acme', name: 'Sync' }
  const shown = { plan: 'business', state: 'live', logoDigest: 'd1' } as const
  const redirectUrls = ['https://app.example.test/cb']
  const metadata = toClientMetadata({ ...app, ...shown, scopes: ['stats:read'], secrets: [], redirectUrls })
  expect(metadata).toMatchObject({ client_id: 'cli_1', redirect_uris: redirectUrls })
  expect(Object.keys(metadata).filter((key) => /logo|name|uri$/.test(key))).toEqual([])
})
