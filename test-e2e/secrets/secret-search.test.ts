import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { findSecrets, type Written } from './secret-search.ts'

const value = `wds_${randomBytes(20).toString('hex')}+/"é`
const secrets = [{ name: 'client secret', value }]
const bytes = Buffer.from(value)
const around = (text: string, before = '{"level":"info","x":"') => `${before}${text}"}`
const find = (text: string | Uint8Array) => findSecrets(secrets, [{ place: 'the log', text }])

describe('a search for secrets', () => {
  test.each<[string, Written['text'], string]>([
    ['plain', around(value), 'plain'],
    ['as JSON escapes it', around(JSON.stringify(value)), 'JSON'],
    ['in an address', around(encodeURIComponent(value)), 'percent'],
    ['in an address, escaped in small letters', around(encodeURIComponent(value).toLowerCase()), 'percent'],
    ['in hex', around(bytes.toString('hex')), 'hex'],
    ['in hex, in capitals', around(bytes.toString('hex').toUpperCase()), 'hex'],
    ['in base64', around(bytes.toString('base64')), 'base64'],
    ['in base64url', around(bytes.toString('base64url')), 'base64url'],
    ['in Basic behind a client id', Buffer.from(`cli_1:${value}`).toString('base64'), 'base64'],
    ['in base64 behind one byte', Buffer.from(`a${value}b`).toString('base64'), 'base64'],
    ['in base64 behind two bytes', Buffer.from(`ab${value}c`).toString('base64'), 'base64'],
    ['in bytes', Buffer.from(around(value)), 'plain'],
    ['in bytes that a dump writes in hex', `\\x${Buffer.from(around(value)).toString('hex')}`, 'hex'],
  ])('finds one %s', (_, text, form) => {
    expect(find(text)).toContainEqual(`client secret stands in the log as ${form}`)
  })

  test('finds nothing where there is none: another secret, its digest, a part of it', () => {
    const digest = randomBytes(32).toString('hex')
    for (const text of [around('wds_another'), around(digest), value.slice(0, -1).slice(1), '', Buffer.alloc(0)])
      expect(find(text)).toEqual([])
  })

  test('refuses a secret that would be found by chance', () => {
    expect(() => findSecrets([{ name: 'a word', value: 'password' }], [])).toThrow('a word has fewer than 16')
  })
})
