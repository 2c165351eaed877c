import { describe, expect, test } from '@jest/globals'
import type { KafkaMessage } from 'kafkajs'
import { inRequests } from './kafka-producer.ts'
import { toMessage, toRecord } from './kafka-records.ts'
import type { NewLogRecord } from './port.ts'

const record = (bytes: number): NewLogRecord => ({
  topic: 't',
  key: 'k',
  eventId: 'evt_1',
  headers: {},
  payload: Buffer.alloc(bytes),
})

describe('requests', () => {
  test('hold what fits, in order, and a record that is larger than the limit comes alone', () => {
    const records = [300, 300, 300, 5_000, 10, 10].map(record)
    const parts = inRequests(records, 900)
    expect(parts.map((part) => part.map((one) => one.payload?.byteLength))).toEqual([
      [300, 300],
      [300],
      [5_000],
      [10, 10],
    ])
    expect(parts.flat()).toEqual(records)
  })

  test('of nothing are none', () => {
    expect(inRequests([])).toEqual([])
  })
})

describe('a message', () => {
  const received = (o: Partial<KafkaMessage>): KafkaMessage =>
    ({ key: null, value: null, timestamp: '0', attributes: 0, offset: '7', ...o }) as KafkaMessage

  test('comes back as it was sent', () => {
    const sent = { ...record(3), headers: { event_type: 'ü' } }
    const { headers, value } = toMessage(sent)
    const back = toRecord('t', 4, received({ key: Buffer.from('k'), value: value as Buffer, headers: headers ?? {} }))
    expect(back).toEqual({ ...sent, partition: 4, offset: 7n, headers: { event_type: 'ü', event_id: 'evt_1' } })
  })

  test('that somebody else wrote, without key, headers and value, becomes a record with an id of its own', () => {
    expect(toRecord('t', 4, received({}))).toEqual({
      topic: 't',
      partition: 4,
      offset: 7n,
      key: '',
      eventId: 't/4/7',
      headers: {},
      payload: null,
    })
    expect(toRecord('t', 4, received({ headers: { a: [Buffer.from('1'), Buffer.from('2')] } })).headers).toEqual({
      a: '2',
    })
  })
})
