/** F51: logs of every release, folded and read by today's code, and by it as if a later release had written them. */
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { isEventType } from '@wds/contracts/event-types'
import { faultsOfEventData } from '@wds/contracts/event-validation'
import { topics } from '@wds/contracts/topics'
import { foldEvents } from '../../packages/aggregate/src/fold-streams.ts'
import { aggregateOf, aggregates, fileOf, folder, foldOf, type GoldenLog, toRecord } from './golden-log.ts'
import { readTold } from './read-told.ts'

const suffix = '.json.gz'
const releases = readdirSync(folder).flatMap((name) => (name.endsWith(suffix) ? [name.slice(0, -suffix.length)] : []))
const logs = releases.map(
  (release) => JSON.parse(gunzipSync(readFileSync(fileOf(release))).toString('utf8')) as GoldenLog,
)

/** A field that only a later release has. */
const planted = { of_a_later_release: { kept: true } }

test('F51: there is a golden log, whose types of streams are all of today, with announcements of both topics', () => {
  const found = logs.flatMap(({ streams }) => streams.map(({ service, streamType }) => `${service} ${streamType}`))
  // A type that is newer than the last release is in none yet.
  expect(new Set(found).size).toBeGreaterThan(10)
  expect(found.filter((type) => !aggregates.has(type))).toEqual([])
  const told = new Set(logs.flatMap((log) => log.told.map(({ topic }) => topic)))
  expect([topics.authEvents, topics.workspaceEvents].every((topic) => told.has(topic))).toBe(true)
})

describe.each(logs)('F51: the log of $release', ({ streams, told }) => {
  test('old producer, new consumer: each stream folds to the states and the columns that it had then, which may have fields more', () => {
    for (const stream of streams) {
      const { folded, ...unfolded } = stream
      expect({ of: stream.streamId, folded: foldOf(unfolded) }).toMatchObject({ of: stream.streamId, folded })
    }
  })

  test('old producer, new consumer: each announcement says to its consumers what it said then', () => {
    for (const record of told)
      expect([record.topic, record.headers.event_type, readTold(toRecord(record))]).toEqual([
        record.topic,
        record.headers.event_type,
        record.read,
      ])
  })

  test('each public event is one of today, which may have fields more and none less', () => {
    const own = told.filter(({ topic }) => topic === topics.workspaceEvents)
    for (const { headers, payload } of own) {
      const { type, data } = JSON.parse(payload) as { type: string; data: object }
      expect(type).toBe(headers.event_type)
      if (!isEventType(type)) throw new Error(`${type} is no type any more`)
      const faults = faultsOfEventData(type, data).filter((fault) => !fault.endsWith(' is missing'))
      expect([type, faults]).toEqual([type, []])
    }
  })

  test('new producer, old consumer: fields that are not known change nothing of what is', () => {
    for (const stream of streams) {
      const { streamId: of, folded } = stream
      const events = stream.events.map(({ type, data }) => ({ type, data: { ...data, ...planted } }))
      expect({ of, folded: foldOf({ ...stream, events }) }).toMatchObject({ of, folded })
    }
    for (const record of told) {
      const body = JSON.parse(record.payload) as { data?: object }
      const payload = JSON.stringify({ ...body, ...planted, data: { ...body.data, ...planted } })
      expect(readTold(toRecord({ ...record, payload }))).toEqual(record.read)
    }
  })

  test('new producer, old consumer: a type of stream event that is not known is named, and no row is made of it', () => {
    for (const stream of streams) {
      const rows = [...stream.events, { type: 'OfALaterRelease', data: {} }].map(({ type, data }, nth) => ({
        stream_id: stream.streamId,
        version: nth + 1,
        event_type: type,
        data,
        created_ms: '0',
      }))
      const { complete } = foldEvents(aggregateOf(stream), rows, { open: null, isLast: true })
      expect({ of: stream.streamId, fault: complete[0]?.fault }).toEqual({
        of: stream.streamId,
        fault: `cannot be folded at version ${rows.length} (OfALaterRelease): this type is not known here`,
      })
    }
  })

  test('new producer, old consumer: an announcement of a type that is not known takes no effect in auth’s copies, and goes out as it is', () => {
    const [auth, event] = [topics.authEvents, topics.workspaceEvents].map((topic) =>
      told.find((one) => one.topic === topic),
    )
    if (auth === undefined || event === undefined) throw new Error('no announcements')
    const later = { ...auth, payload: JSON.stringify({ ...JSON.parse(auth.payload), type: 'OfALaterRelease' }) }
    const { access } = readTold(toRecord(later)) as { access: Record<string, unknown[]> }
    expect(Object.values(access).flat()).toEqual([])
    const headers = { ...event.headers, event_type: 'of_a.later_release' }
    expect(readTold(toRecord({ ...event, headers }))).toMatchObject({ delivery: { type: 'of_a.later_release' } })
  })
})
