import { expect, test } from '@jest/globals'
import { readProviders } from './providers.ts'

const entry = {
  name: 'okta',
  title: 'Okta',
  issuer: 'https://okta.example.test',
  client_id: 'wds',
  client_secret: 'hidden-text',
}
const read = (...entries: unknown[]) => readProviders(JSON.stringify(entries))

test('the file of providers is read', () => {
  const other = { ...entry, name: 'google', issuer: 'https://accounts.example.test/tenant' }
  const providers = read(entry, { ...other, endpoint_origins: ['https://tokens.example.test'] })
  expect(providers.map(({ name, title, issuer }) => [name, title, issuer])).toEqual([
    ['okta', 'Okta', 'https://okta.example.test'],
    ['google', 'Okta', 'https://accounts.example.test/tenant'],
  ])
  expect(read({ ...entry, issuer: 'http://127.0.0.1:4000' })).toHaveLength(1)
})

test.each([
  ['not an object', 'okta'],
  ['no secret', { ...entry, client_secret: undefined }],
  ['an empty title', { ...entry, title: '' }],
  ['a name that is no segment of a path', { ...entry, name: '../okta' }],
  ['an issuer without TLS', { ...entry, issuer: 'http://okta.example.test' }],
  ['an issuer that is no address', { ...entry, issuer: 'okta' }],
  ['an issuer with a query', { ...entry, issuer: 'https://okta.example.test/?x' }],
  ['a further origin without TLS', { ...entry, endpoint_origins: ['http://tokens.example.test'] }],
  ['a path in a further origin', { ...entry, endpoint_origins: ['https://tokens.example.test/token'] }],
])('%s is refused, and the fault tells nothing of the secret', (_, faulty) => {
  const reading = () => read(entry, faulty)
  expect(reading).toThrow(/WDS_UPSTREAM_PROVIDERS_FILE has an entry \(number 2\)/)
  expect(reading).not.toThrow(/hidden-text/)
})

test.each(['{', '{}'])('a file of %s is refused', (text) => {
  expect(() => readProviders(text)).toThrow(/WDS_UPSTREAM_PROVIDERS_FILE/)
})

test('one name or one issuer twice is refused', () => {
  expect(() => read(entry, { ...entry, issuer: 'https://other.example.test' })).toThrow(/one name twice/)
  expect(() => read(entry, { ...entry, name: 'other' })).toThrow(/one issuer twice/)
})
