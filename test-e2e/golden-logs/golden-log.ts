/** The shape of a golden log: streams and announcements of one release, and what that release made of them. */
import { join } from 'node:path'
import type { LogRecord } from '@wds/event-log/port'
import type { AnyAggregate } from '../../packages/aggregate/src/aggregate.ts'
import { concepts as ofApi } from '../../services/api/src/resources.ts'
import { concepts as ofAuth } from '../../services/auth/src/resources.ts'
import { concepts as ofDelivery } from '../../services/delivery/src/resources.ts'

export interface GoldenEvent {
  type: string
  data: object
}

export interface GoldenStream {
  service: string
  streamType: string
  streamId: string
  events: GoldenEvent[]
  /** The state after each of them, and the columns of its row. */
  folded: { state: object; columns: object }[]
}

/** An announcement as it went to the log; `payload`: the text of its bytes. */
export interface GoldenRecord {
  topic: string
  eventId: string
  key: string
  headers: Record<string, string>
  payload: string
  /** What consumers read of it, by consumer. */
  read: Record<string, unknown>
}

export interface GoldenLog {
  release: string
  streams: GoldenStream[]
  told: GoldenRecord[]
}

export const folder: string = import.meta.dirname
export const fileOf = (release: string): string => join(folder, `${release}.json.gz`)

type Concepts = readonly { aggregate?: AnyAggregate }[]

/** By service and type of stream. */
export const aggregates: ReadonlyMap<string, AnyAggregate> = new Map(
  Object.entries<Concepts>({ api: ofApi, auth: ofAuth, delivery: ofDelivery }).flatMap(([service, concepts]) =>
    concepts.flatMap(({ aggregate }) =>
      aggregate ? [[`${service} ${aggregate.streamType}`, aggregate] as const] : [],
    ),
  ),
)

export function aggregateOf({ service, streamType }: Pick<GoldenStream, 'service' | 'streamType'>): AnyAggregate {
  const aggregate = aggregates.get(`${service} ${streamType}`)
  if (aggregate === undefined) throw new Error(`${service} has no aggregate ${streamType}`)
  return aggregate
}

/** As it is stored: what JSON does not hold is not there. */
export const asJson = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (_, held) => (held instanceof Uint8Array ? Buffer.from(held).toString('hex') : held)),
  )

export function foldOf(stream: Omit<GoldenStream, 'folded'>): GoldenStream['folded'] {
  const { decider, columns } = aggregateOf(stream)
  let state = decider.initialState
  return stream.events.map((event) => {
    state = decider.evolve(state, event)
    return asJson({ state, columns: columns(state) })
  })
}

export const toRecord = ({ topic, eventId, key, headers, payload }: Omit<GoldenRecord, 'read'>): LogRecord => ({
  topic,
  partition: 0,
  offset: 0n,
  eventId,
  key,
  headers,
  payload: Buffer.from(payload),
})
