// What a declaration guarantees: typed values, all faults at once, no value in a fault.

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { formatDuration, parseDuration } from './duration.ts'
import { defineSettings, SettingsError } from './settings.ts'

const settings = defineSettings(
  {
    WDS_HTTP_PORT: { type: 'integer', min: 0, max: 65_535, default: 8080, meaning: 'Port.' },
    WDS_LEASE: { type: 'duration', min: 1_000, max: 60_000, default: '30s', meaning: 'Lease.' },
    WDS_DELAYS: { type: 'durations', default: '30s,2m,1h', meaning: 'Delays.' },
    WDS_DEBUG: { type: 'boolean', default: false, meaning: 'Debug.' },
    WDS_ROLE: { type: 'enum', values: ['all', 'http', 'worker'], default: 'all', meaning: 'Role.' },
    WDS_ORIGINS: { type: 'list', default: [], meaning: 'Origins.' },
    WDS_BASE_URL: { type: 'url', protocols: ['http:', 'https:'], meaning: 'Base.' },
    WDS_PASSWORD: { type: 'string', secret: true, lengthMin: 16, meaning: 'Password.' },
    WDS_KEY_FILE: { type: 'file', optional: true, meaning: 'Key.' },
  },
  {
    checks: [
      (v) => (v.WDS_LEASE > (v.WDS_DELAYS[0] ?? 0) ? 'WDS_LEASE must not exceed the first of WDS_DELAYS' : null),
    ],
  },
)
const required = { WDS_BASE_URL: 'http://127.0.0.1:8080/', WDS_PASSWORD: 'correct horse battery' }

function faultsOf(run: () => unknown): readonly string[] {
  try {
    run()
  } catch (error) {
    if (error instanceof SettingsError) return error.faults
    throw error
  }
  return []
}

describe('settings', () => {
  test('values are typed and defaults stand in for unset and empty variables', () => {
    const values = settings.parse({ ...required, WDS_DEBUG: '', WDS_ORIGINS: ' a , b ' })
    const port: number = values.WDS_HTTP_PORT
    const role: 'all' | 'http' | 'worker' = values.WDS_ROLE
    const file: string | undefined = values.WDS_KEY_FILE
    expect([port, role, file]).toEqual([8080, 'all', undefined])
    expect(values).toMatchObject({ WDS_LEASE: 30_000, WDS_DELAYS: [30_000, 120_000, 3_600_000], WDS_DEBUG: false })
    expect(values).toMatchObject({ WDS_ORIGINS: ['a', 'b'], WDS_BASE_URL: 'http://127.0.0.1:8080' })
  })

  describe('a secret in a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'wds-settings-'))
    afterAll(() => rmSync(folder, { recursive: true }))
    const file = (name: string, text: string, mode: number) => {
      const path = join(folder, name)
      writeFileSync(path, text)
      chmodSync(path, mode)
      return path
    }
    const { WDS_PASSWORD: _, ...others } = required
    const faultsWith = (env: Record<string, string>) =>
      faultsOf(() => settings.parse({ ...others, ...env }, { refuseUnknownPrefix: 'WDS_' }))

    test('K70: is read where NAME_FILE names it, also as a platform mounts it for a group, and obeys the same rules', () => {
      const path = file('mounted', 'correct horse battery\n', 0o440)
      const values = settings.parse({ ...others, WDS_PASSWORD_FILE: path }, { refuseUnknownPrefix: 'WDS_' })
      expect(values.WDS_PASSWORD).toBe('correct horse battery')
      const short = file('short', 'too short', 0o600)
      expect(faultsWith({ WDS_PASSWORD_FILE: short })).toEqual(faultsWith({ WDS_PASSWORD: 'too short' }))
    })

    test.each([
      ['is open to other users', () => file('open', 'correct horse battery', 0o604)],
      ['is empty', () => file('empty', ' \n', 0o600)],
      ['is not a file', () => folder],
      ['cannot be opened (ENOENT)', () => join(folder, 'nowhere')],
    ])('K70: is refused by the name of its setting alone where the file %s', (reason, path) => {
      expect(faultsWith({ WDS_PASSWORD_FILE: path() })).toEqual([`the file of WDS_PASSWORD_FILE ${reason}`])
    })

    test('regression: K70: a pipe is refused as well, though nobody writes to it', () => {
      const path = join(folder, 'pipe')
      execFileSync('mkfifo', [path])
      expect(faultsWith({ WDS_PASSWORD_FILE: path })).toEqual(['the file of WDS_PASSWORD_FILE is not a file'])
    })

    test('given in two ways is refused, and what is no secret is read from no file', () => {
      const path = file('both', 'correct horse battery', 0o600)
      expect(faultsWith({ WDS_PASSWORD: 'correct horse battery', WDS_PASSWORD_FILE: path })).toEqual([
        'WDS_PASSWORD and WDS_PASSWORD_FILE are both set',
      ])
      expect(faultsWith({ WDS_PASSWORD_FILE: path, WDS_ROLE_FILE: path })).toEqual(['WDS_ROLE_FILE is not a setting'])
    })
  })

  test('all faults are reported at once, by name and in one line', () => {
    const error = (() => {
      try {
        return settings.parse({
          WDS_HTTP_PORT: '65536',
          WDS_LEASE: '90',
          WDS_DEBUG: 'on',
          WDS_ROLE: 'x',
          WDS_ORIGINS: 'a,,b',
        })
      } catch (caught) {
        return caught as SettingsError
      }
    })() as SettingsError
    expect(error.faults).toHaveLength(7)
    expect(error.message).not.toContain('\n')
    for (const name of [
      'WDS_HTTP_PORT',
      'WDS_LEASE',
      'WDS_DEBUG',
      'WDS_ROLE',
      'WDS_ORIGINS',
      'WDS_BASE_URL',
      'WDS_PASSWORD',
    ]) {
      expect(error.message).toContain(name)
    }
  })

  test('a fault never contains the value, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 15 }), (text) => {
        const marked = `§${text}`
        const env = Object.fromEntries(settings.describe().map((row) => [row.name, marked]))
        expect(faultsOf(() => settings.parse(env)).join()).not.toContain('§')
      }),
    )
  })

  test('conditions over several settings are judged once each setting is right', () => {
    expect(faultsOf(() => settings.parse({ ...required, WDS_LEASE: '60s' }))).toEqual([
      'WDS_LEASE must not exceed the first of WDS_DELAYS',
    ])
    expect(faultsOf(() => settings.parse({ ...required, WDS_LEASE: '61s' }))).toEqual(['WDS_LEASE must be at most 1m'])
  })

  test('a misspelt name with the prefix is refused when asked for', () => {
    const env = { ...required, WDS_HTTP_PROT: '1', WDS_OTHER: '2', PATH: '/' }
    expect(settings.parse(env).WDS_HTTP_PORT).toBe(8080)
    const options = { refuseUnknownPrefix: 'WDS_', knownElsewhere: ['WDS_OTHER'] }
    expect(faultsOf(() => settings.parse(env, options))).toEqual(['WDS_HTTP_PROT is not a setting'])
  })

  test('the start log shows values, and set or unset for secrets', () => {
    expect(settings.printable(settings.parse(required))).toMatchObject({
      WDS_PASSWORD: 'set',
      WDS_KEY_FILE: 'unset',
      WDS_LEASE: '30s',
    })
  })

  test('rows describe every setting for the reference page', () => {
    const rows = settings.describe()
    expect(rows[0]).toEqual({
      name: 'WDS_HTTP_PORT',
      type: 'integer',
      unit: null,
      default: '8080',
      required: false,
      secret: false,
      allowed: '0 to 65535',
      meaning: 'Port.',
    })
    expect(rows.filter((row) => row.required).map((row) => row.name)).toEqual(['WDS_BASE_URL', 'WDS_PASSWORD'])
  })

  test('a declaration that contradicts itself is refused at once', () => {
    expect(() => defineSettings({ A: { type: 'integer', min: 1, max: 2, default: 3, meaning: '' } })).toThrow(
      'A: its default',
    )
    expect(() => defineSettings({ A: { type: 'string', secret: true, default: 'x', meaning: '' } })).toThrow(
      'no default',
    )
  })

  test('a written duration reads back as the same number of milliseconds', () => {
    fc.assert(fc.property(fc.nat(999_999_999), (ms) => expect(parseDuration(formatDuration(ms))).toBe(ms)))
    for (const text of ['', '5', 's', '-1s', '1.5s', '1 s', '1S', '1w']) expect(parseDuration(text)).toBeNull()
  })

  test('integers outside their range, in other notations or with spaces are refused', () => {
    for (const text of ['-1', '65536', '1e3', '0x10', ' 80', '80.0', '99999999999999999999']) {
      expect(faultsOf(() => settings.parse({ ...required, WDS_HTTP_PORT: text }))).toHaveLength(1)
    }
  })
})
