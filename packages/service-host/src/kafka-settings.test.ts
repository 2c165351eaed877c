import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { defineSettings } from '@wds/settings/settings'
import { kafkaFaults } from './kafka-address.ts'
import { kafkaConnection, kafkaSettings } from './kafka-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'wds-kafka-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))
const parse = (env: Record<string, string>) => defineSettings(kafkaSettings).parse(env)
const file = (name: string, text: string, mode = 0o600) => {
  const path = join(folder, name)
  writeFileSync(path, text, { mode })
  return path
}

describe('the way to Kafka', () => {
  test('is none without brokers: the log is kept in Postgres', () => {
    expect(kafkaConnection(parse({}))).toBeNull()
  })

  test('is plain where nothing else is said, and takes TLS and a user', () => {
    expect(kafkaConnection(parse({ KAFKA_BROKERS: 'a:1,b:2' }))).toEqual({ brokers: ['a:1', 'b:2'] })
    const env = {
      KAFKA_BROKERS: 'a:1',
      KAFKA_TLS: 'true',
      KAFKA_TLS_CA_FILE: file('ca.pem', 'certificates', 0o644),
      KAFKA_USERNAME: 'api',
      KAFKA_PASSWORD_FILE: file('password', 'hunter2hunter2\n', 0o440),
    }
    expect(kafkaConnection(parse(env))).toEqual({
      brokers: ['a:1'],
      ssl: { ca: 'certificates' },
      sasl: { mechanism: 'scram-sha-512', username: 'api', password: 'hunter2hunter2' },
    })
  })

  test('K70: user and CA are read again at each connection, and what cannot be used leaves those of before', () => {
    const faults: object[] = []
    const logger = { error: (fields: object) => void faults.push(fields) } as never
    const [ca, password] = [file('renewed.pem', 'first', 0o644), file('renewed', 'first-password')]
    const env = { KAFKA_TLS: 'true', KAFKA_TLS_CA_FILE: ca, KAFKA_USERNAME: 'api', KAFKA_PASSWORD_FILE: password }
    const connection = kafkaConnection(parse({ KAFKA_BROKERS: 'a:1', ...env }), logger)
    const told = () => ({ ...(connection?.ssl as object), ...connection?.sasl })
    expect(told()).toMatchObject({ ca: 'first', password: 'first-password' })
    file('renewed.pem', 'second')
    file('renewed', 'second-password')
    expect(told()).toMatchObject({ ca: 'second', password: 'second-password' })
    file('renewed', '')
    for (let nth = 0; nth < 2; nth += 1) expect(told()).toMatchObject({ password: 'second-password' })
    expect(faults).toMatchObject([{ err: { message: 'KAFKA_PASSWORD_FILE is empty.' } }])
  })

  test('is refused with one sentence that holds no password', () => {
    const env = { KAFKA_BROKERS: 'a:1', KAFKA_USERNAME: 'api' }
    const withPassword = (path: string) => () => kafkaConnection(parse({ ...env, KAFKA_PASSWORD_FILE: path }))
    expect(() => kafkaConnection(parse(env))).toThrow('KAFKA_PASSWORD_FILE must be set beside KAFKA_USERNAME.')
    expect(withPassword(join(folder, 'none'))).toThrow('KAFKA_PASSWORD_FILE cannot be read (ENOENT).')
    expect(withPassword(file('empty', ' \n'))).toThrow('KAFKA_PASSWORD_FILE is empty.')
    expect(withPassword(file('open', 'hunter2', 0o644))).toThrow('KAFKA_PASSWORD_FILE must not be readable by others.')
  })
})

describe('in production', () => {
  test('Kafka on another machine needs TLS and a user; on loopback it does not', () => {
    expect(kafkaFaults(parse({}))).toEqual([])
    expect(kafkaFaults(parse({ KAFKA_BROKERS: '127.0.0.1:1,localhost:2' }))).toEqual([])
    expect(kafkaFaults(parse({ KAFKA_BROKERS: '127.0.0.1:1,kafka:2' }))).toEqual([
      'KAFKA_TLS must be true: Kafka is not on this machine',
      'KAFKA_USERNAME must be set: Kafka is not on this machine',
    ])
    const safe = { KAFKA_BROKERS: 'kafka:2', KAFKA_TLS: 'true', KAFKA_USERNAME: 'api' }
    expect(kafkaFaults(parse(safe))).toEqual([])
  })
})
