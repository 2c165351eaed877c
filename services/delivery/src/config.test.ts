// Which settings are refused at start, and that a refusal names the setting and never its value.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readSettings, scheduleOf } from './config.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'delivery-config-'))
  writeFileSync(join(folder, 'key'), 'key', { mode: 0o600 })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const parse = (o: Record<string, string> = {}) =>
  readSettings({
    DATABASE_URL: 'postgres://a:http-password@127.0.0.1/x',
    WDS_WORKER_DATABASE_URL: 'postgres://b:worker-password@127.0.0.1/x',
    WDS_BASE_URL: 'http://127.0.0.1:8080',
    WDS_ENCRYPTION_KEY_FILE: join(folder, 'key'),
    WDS_CURSOR_KEY_FILE: join(folder, 'key'),
    ...o,
  })

describe('settings of the delivery service', () => {
  test('without anything optional: 6 attempts by the schedule, a deadline of 10 s, a lease of 30 s, nothing private is called', () => {
    const values = parse()
    expect(values).toMatchObject({ WDS_ROLE: 'all', WDS_DELIVERY_DEADLINE: 10_000, WDS_DELIVERY_LEASE: 30_000 })
    expect(values.WDS_OUTBOUND_ALLOW).toEqual([])
    expect(scheduleOf(values)).toMatchObject({
      attempts: 6,
      delaysMs: [30_000, 120_000, 600_000, 3_600_000, 21_600_000, 86_400_000],
    })
  })

  test('XB10: one host gets 500 requests a second and 256 at a time; hosts without a limit are names', () => {
    expect(parse()).toMatchObject({ WDS_DELIVERY_HOST_RATE: 500, WDS_DELIVERY_HOST_SOCKETS: 256 })
    const hosts = (list: string) => parse({ WDS_DELIVERY_UNCAPPED_HOSTS: list }).WDS_DELIVERY_UNCAPPED_HOSTS
    expect(hosts('hooks.a.test,b.test')).toEqual(['hooks.a.test', 'b.test'])
    for (const list of ['https://a.test', 'a.test:8443', 'A.test', 'a.test/x'])
      expect(() => hosts(list)).toThrow(/WDS_DELIVERY_UNCAPPED_HOSTS must be/)
  })

  test('a lease must outlive deadline and margin: 12 s is refused, 13 s is taken', () => {
    expect(() => parse({ WDS_DELIVERY_LEASE: '12s' })).toThrow(/WDS_DELIVERY_LEASE must be longer/)
    expect(parse({ WDS_DELIVERY_LEASE: '13s' }).WDS_DELIVERY_LEASE).toBe(13_000)
  })

  test('each attempt after the first has a delay: 7 attempts are the most of 6 delays', () => {
    expect(scheduleOf(parse({ WDS_DELIVERY_ATTEMPTS: '7' })).attempts).toBe(7)
    expect(() => parse({ WDS_DELIVERY_ATTEMPTS: '8' })).toThrow(/WDS_DELIVERY_DELAYS must have a delay/)
    expect(() => parse({ WDS_DELIVERY_DELAYS: '1s,2s' })).toThrow(/WDS_DELIVERY_DELAYS must have a delay/)
    expect(scheduleOf(parse({ WDS_DELIVERY_DELAYS: '1s,2s', WDS_DELIVERY_ATTEMPTS: '3' })).delaysMs).toEqual([
      1_000, 2_000,
    ])
  })

  test.each([
    ['WDS_DELIVERY_ATTEMPTS', '0'],
    ['WDS_DELIVERY_DELAYS', '-1s'],
    ['WDS_DELIVERY_SLOTS', '3'],
    ['WDS_DELIVERY_DEADLINE', '61s'],
    ['WDS_HTTP_PORT', '65536'],
    ['WDS_ROLE', 'sender'],
    ['WDS_BASE_URL', 'not an address'],
    ['WDS_DELIVERY_ATEMPTS', '6'],
    ['WDS_OUTBOUND_OWN_PORTS', '15432,broker'],
    ['WDS_OUTBOUND_OWN_PORTS', '0'],
    ['WDS_OUTBOUND_ALLOW', 'loopbck'],
    ['WDS_OUTBOUND_ALLOW', 'https://receiver.test/path'],
    ['WDS_OUTBOUND_ALLOW', 'loopback,https://receiver.test'],
  ])('%s=%s is refused by name', (name, value) => {
    expect(() => parse({ [name]: value })).toThrow(new RegExp(name))
  })

  test('what may be called is nothing more, loopback, or exact origins', () => {
    for (const allow of ['none', 'loopback', 'https://receiver.test,http://127.0.0.1:9000']) {
      expect(parse({ WDS_OUTBOUND_ALLOW: allow }).WDS_OUTBOUND_ALLOW).toEqual(allow.split(','))
    }
    expect(parse({ WDS_OUTBOUND_OWN_PORTS: '1,65535' }).WDS_OUTBOUND_OWN_PORTS).toEqual(['1', '65535'])
  })

  test('all faults are told at once, and no value of a secret', () => {
    let message = ''
    try {
      parse({ WDS_DELIVERY_SLOTS: 'many', WDS_DELIVERY_ATTEMPTS: '21', WDS_HTTP_PORT: '-1' })
    } catch (error) {
      message = (error as Error).message
    }
    for (const name of ['WDS_DELIVERY_SLOTS', 'WDS_DELIVERY_ATTEMPTS', 'WDS_HTTP_PORT']) expect(message).toContain(name)
    expect(message).not.toContain('password')
  })
})
