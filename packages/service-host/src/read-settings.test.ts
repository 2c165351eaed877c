// Start-up refusal, security.md 7: what the settings alone tell. Every row names its setting, in one line, without its value.

import { describe, expect, test } from '@jest/globals'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { gadgetService, gadgetSettings } from './fixtures/gadget-service.ts'
import { isProduction } from './profile.ts'
import { readServiceSettings } from './read-settings.ts'

const password = 'kCq1m0eTt9Zb4WfXr8s2'
const database = `postgres://wds_api:${password}@db.example:5432/wds?sslmode=verify-full`
const good: Record<string, string> = {
  DATABASE_URL: database,
  WDS_WORKER_DATABASE_URL: database,
  WDS_BASE_URL: 'https://api.example',
  WDS_TRUSTED_PROXIES: '10.1.0.0/16,fd00:1::/32',
  WDS_CORS_ORIGINS: 'https://app.example',
  WDS_MANAGEMENT_HOST: '10.1.2.3',
  WDS_MANAGEMENT_PORT: '9090',
  WDS_ENCRYPTION_KEY_FILE: '/run/secrets/encryption-key',
  WDS_CURSOR_KEY_FILE: '/run/secrets/cursor-key',
}
const read = (o: Record<string, string> = {}, execArgv: string[] = []) =>
  readServiceSettings(gadgetService(), { env: { ...good, ...o }, execArgv })
const at = (query: string, host = 'db.example', secret = password) => `postgres://wds_api:${secret}@${host}/wds${query}`

function refusalOf(o: Record<string, string>, execArgv: string[] = []): string {
  try {
    read(o, execArgv)
  } catch (error) {
    return (error as Error).message
  }
  return 'not refused'
}

describe('the production profile', () => {
  test('takes safe settings', () => {
    expect(read().WDS_BASE_URL).toBe('https://api.example')
  })

  test.each([
    ['a missing secret', 'DATABASE_URL', ''],
    ['a database without a password', 'DATABASE_URL', 'postgres://wds_api@db.example/wds?sslmode=verify-full'],
    ['a default password', 'DATABASE_URL', at('?sslmode=verify-full', 'db.example', 'postgres')],
    ['an example password, repeated', 'DATABASE_URL', at('?sslmode=verify-full', 'db.example', 'changemechangeme1')],
    ['a short password', 'WDS_WORKER_DATABASE_URL', at('?sslmode=verify-full', 'db.example', 'kCq1m0eTt9Zb4Wf')],
    ['no TLS', 'DATABASE_URL', at('')],
    ['TLS switched off', 'WDS_WORKER_DATABASE_URL', at('?sslmode=disable')],
    ['TLS where there happens to be some', 'DATABASE_URL', at('?sslmode=prefer')],
    ['TLS without a verified certificate', 'DATABASE_URL', at('?sslmode=no-verify')],
    ['TLS as libpq means it', 'DATABASE_URL', at('?sslmode=require&uselibpqcompat=true')],
    ['a name that only begins like loopback', 'DATABASE_URL', at('', '127.0.0.1.example')],
    ['a moved clock', 'DATABASE_URL', at('?sslmode=verify-full&options=-c%20app.clock_offset_ms%3D1')],
    ['an address that is none', 'DATABASE_URL', 'db.example'],
    ['plain HTTP to the API', 'WDS_BASE_URL', 'http://api.example'],
    ['plain HTTP to auth', 'WDS_AUTH_INTERNAL_URL', 'http://auth-internal:8091'],
    [
      'plain HTTP to auth at a name that only begins like loopback',
      'WDS_AUTH_INTERNAL_URL',
      'http://localhost.example',
    ],
    ['proxies everywhere', 'WDS_TRUSTED_PROXIES', '0.0.0.0/0'],
    ['proxies everywhere, in two halves', 'WDS_TRUSTED_PROXIES', '0.0.0.0/1,128.0.0.0/1'],
    ['proxies everywhere, IPv6', 'WDS_TRUSTED_PROXIES', '10.0.0.0/8,::/0'],
    ['no proxy that could end TLS', 'WDS_TRUSTED_PROXIES', ''],
    ['a proxy that is no address', 'WDS_TRUSTED_PROXIES', 'proxy.example'],
    ['origins everywhere', 'WDS_CORS_ORIGINS', '*'],
    ['an origin with a path', 'WDS_CORS_ORIGINS', 'https://app.example/x'],
    ['an origin without TLS', 'WDS_CORS_ORIGINS', 'http://app.example'],
    ['management on every address', 'WDS_MANAGEMENT_HOST', '0.0.0.0'],
    ['management on every address, IPv6', 'WDS_MANAGEMENT_HOST', '::'],
    ['a misspelling', 'WDS_TRUSTED_PROXY', '10.0.0.1'],
    ['an open inspector', 'NODE_OPTIONS', '--enable-source-maps --inspect=0.0.0.0:9229'],
    ['certificates that nobody verifies', 'NODE_TLS_REJECT_UNAUTHORIZED', '0'],
    ['a moved clock, for all', 'PGOPTIONS', '-c app.clock_offset_ms=60000'],
  ])('refuses %s: %s', (_what, name, value) => {
    const message = refusalOf({ [name]: value })
    expect(message).toMatch(new RegExp(`^configuration refused: .*${name}`))
    expect(message).not.toContain('\n')
    if (value.length > 2) expect(message).not.toContain(value)
    expect(message).not.toContain(password)
  })

  test('refuses the inspector also as an argument', () => {
    expect(refusalOf({}, ['--inspect-brk'])).toContain('NODE_OPTIONS')
  })

  test.each([
    'postgres://me:pa/ss@db.example/wds',
    'postgres://me:pa%ss@db.example/wds',
    'postgres://me:hunter2@db example/wds',
    'db.example',
    'mysql://me:hunter2@db.example/wds',
  ])(
    'regression: %s is no address of a database, in any profile: the setting is named, nothing of the value',
    (text) => {
      for (const profile of ['production', 'development']) {
        for (const name of ['DATABASE_URL', 'WDS_WORKER_DATABASE_URL']) {
          const message = refusalOf({ [name]: text, WDS_PROFILE: profile })
          expect(message).toMatch(new RegExp(`^configuration refused: ${name} must be`))
          expect(message).not.toMatch(/db.example|pa.ss|hunter2/)
        }
      }
    },
  )

  test('tells all faults at once', () => {
    const message = refusalOf({ WDS_BASE_URL: 'http://api.example', DATABASE_URL: at(''), WDS_CORS_ORIGINS: '*' })
    for (const name of ['WDS_BASE_URL', 'DATABASE_URL', 'WDS_CORS_ORIGINS']) expect(message).toContain(name)
  })

  test.each([
    ['a Unix socket', 'postgres:///wds?host=/var/run/postgresql'],
    ['loopback', at('', '127.0.0.1')],
    ['loopback, IPv6', at('', '[::1]')],
    ['a verified authority', at('?sslmode=verify-ca')],
  ])('takes a database over %s', (_what, url) => {
    expect(read({ DATABASE_URL: url }).DATABASE_URL).toBe(url)
  })

  test.each(['https://auth-internal:8091', 'http://127.0.0.1:8091', 'http://localhost:8091', 'http://[::1]:8091'])(
    'takes auth at %s',
    (url) => expect(read({ WDS_AUTH_INTERNAL_URL: url }).WDS_AUTH_INTERNAL_URL).toBe(url),
  )

  test('judges what the role uses: a worker has no proxy and no HTTP role', () => {
    expect(refusalOf({ WDS_ROLE: 'worker', WDS_TRUSTED_PROXIES: '', DATABASE_URL: at('') })).toBe('not refused')
    expect(refusalOf({ WDS_ROLE: 'http', WDS_WORKER_DATABASE_URL: at('') })).toBe('not refused')
    expect(refusalOf({ WDS_ROLE: 'http', DATABASE_URL: at('') })).toContain('DATABASE_URL')
  })

  test('refuses what the service itself says, which development takes', () => {
    const service = gadgetService({ refusals: (values) => [`WDS_HTTP_PORT is ${typeof values.WDS_HTTP_PORT}`] })
    const start = (o: Record<string, string>) => readServiceSettings(service, { env: { ...good, ...o }, execArgv: [] })
    expect(() => start({})).toThrow('WDS_HTTP_PORT is number')
    expect(start({ WDS_PROFILE: 'development' }).WDS_PROFILE).toBe('development')
  })
})

describe('the profile', () => {
  test.each([
    ['http://127.0.0.1:8080', undefined, false],
    ['http://localhost:8080', undefined, false],
    ['http://[::1]:8080', undefined, false],
    ['https://api.example', undefined, true],
    ['http://192.168.1.2', undefined, true],
    ['http://localhost.example', undefined, true],
    ['https://api.example', 'development', false],
    ['http://127.0.0.1:8080', 'production', true],
  ])('%s, told %s: production %s', (baseUrl, told, production) => {
    const env = withoutUndefined<Record<string, string>>({ ...good, WDS_BASE_URL: baseUrl, WDS_PROFILE: told })
    expect(isProduction(gadgetSettings.parse(env))).toBe(production)
  })

  test('development takes a database without TLS, its own proxies and unknown names', () => {
    const env = {
      WDS_BASE_URL: 'http://127.0.0.1:8080',
      DATABASE_URL: at('', 'db.example', 'postgres'),
      WDS_OTHER: 'x',
    }
    expect(refusalOf({ ...env, WDS_TRUSTED_PROXIES: '' })).toBe('not refused')
    expect(refusalOf({ ...env, WDS_CORS_ORIGINS: '*' })).toContain('WDS_CORS_ORIGINS')
  })
})
