/** Makes the golden log of a release of what `WDS_RECORD_EVENTS` kept: the fewest streams that hold every type, and one announcement of each. README.md. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import {
  aggregates,
  fileOf,
  foldOf,
  type GoldenLog,
  type GoldenRecord,
  type GoldenStream,
  toRecord,
} from './golden-log.ts'
import { readTold } from './read-told.ts'

const nameOf = (parts: (string | undefined)[]) => parts.join(' ')

type Unfolded = Omit<GoldenStream, 'folded'>

const [, , recorded, release] = process.argv
if (recorded === undefined || release === undefined) throw new Error('record-main.ts <folder of the events> <release>')

/** With the file that a line is of: two databases may have given the same ids. */
function linesOf<T>(kind: string): (T & { file: string })[] {
  const files = readdirSync(recorded as string).filter((name) => name.startsWith(`${kind}-`))
  return files.toSorted().flatMap((file) => {
    const lines = readFileSync(join(recorded as string, file), 'utf8')
      .trim()
      .split('\n')
    return lines.map((line) => ({ ...(JSON.parse(line) as T), file }))
  })
}

interface StreamRow {
  schema: string
  stream_type: string
  workspace_id: string
  stream_id: string
  version: number
  event_type: string
  data: object
}

function streams(): Unfolded[] {
  const rows = linesOf<StreamRow>('streams').filter((row) => aggregates.has(`${row.schema} ${row.stream_type}`))
  const groups = Map.groupBy(rows, (row) =>
    nameOf([row.file, row.schema, row.workspace_id, row.stream_type, row.stream_id]),
  )
  return [...groups.values()]
    .map((of) => of.toSorted((a, b) => a.version - b.version))
    .filter((of) => of.every(({ version }, nth) => version === nth + 1))
    .map((of) => ({
      service: of[0]?.schema ?? '',
      streamType: of[0]?.stream_type ?? '',
      streamId: of[0]?.stream_id ?? '',
      events: of.map(({ event_type: type, data }) => ({ type, data })),
    }))
    .filter(canBeFolded)
}

/** A test may have written what no command writes. */
function canBeFolded(stream: Unfolded): boolean {
  try {
    return foldOf(stream).every(({ state }) => state !== undefined)
  } catch {
    return false
  }
}

/** Of each type of stream the one with most types that are not there yet, the shortest of those, until none is missing. */
function fewest(all: Unfolded[]): Unfolded[] {
  const chosen: Unfolded[] = []
  for (const [, of] of Map.groupBy(all, ({ service, streamType }) => `${service} ${streamType}`)) {
    const sized = of.map((stream) => ({
      stream,
      types: new Set(stream.events.map(({ type }) => type)),
      size: sizeOf(stream),
    }))
    const missing = new Set(sized.flatMap(({ types }) => [...types]))
    while (missing.size > 0) {
      const gain = (types: ReadonlySet<string>) => [...types].filter((type) => missing.has(type)).length
      const [best] = sized.toSorted((a, b) => gain(b.types) - gain(a.types) || a.size - b.size)
      if (best === undefined) break
      chosen.push(best.stream)
      for (const type of best.types) missing.delete(type)
    }
  }
  return chosen
}

interface ToldRow {
  topic: string
  event_id: string
  key: string
  headers: Record<string, string>
  payload: string | null
}

/** The shortest of each topic and type that its consumers take. */
function told(): Omit<GoldenRecord, 'read'>[] {
  const records = linesOf<ToldRow>('told').flatMap(({ topic, event_id: eventId, key, headers, payload }) =>
    payload === null || headers.event_type === undefined
      ? []
      : [{ topic, eventId, key, headers, payload: Buffer.from(payload, 'base64').toString('utf8') }],
  )
  return [...Map.groupBy(records, ({ topic, headers }) => `${topic} ${headers.event_type}`)].flatMap(([, of]) => {
    const taken = of.toSorted((a, b) => sizeOf(a) - sizeOf(b)).find(isTaken)
    return taken === undefined ? [] : [taken]
  })
}

function isTaken(record: Omit<GoldenRecord, 'read'>): boolean {
  try {
    readTold(toRecord(record))
    return true
  } catch {
    return false
  }
}

const sizeOf = (value: object): number => JSON.stringify(value).length
const log: GoldenLog = {
  release,
  streams: fewest(streams())
    .map((stream) => ({ ...stream, folded: foldOf(stream) }))
    .toSorted((a, b) =>
      nameOf([a.service, a.streamType, a.streamId]).localeCompare(nameOf([b.service, b.streamType, b.streamId])),
    ),
  told: told()
    .map((record) => ({ ...record, read: readTold(toRecord(record)) }))
    .toSorted((a, b) => nameOf([a.topic, a.headers.event_type]).localeCompare(nameOf([b.topic, b.headers.event_type]))),
}
writeFileSync(fileOf(release), gzipSync(JSON.stringify(log), { level: 9 }))
const types = new Set(log.streams.flatMap(({ service, events }) => events.map(({ type }) => `${service} ${type}`)))
process.stdout.write(`${log.streams.length} streams with ${types.size} types, ${log.told.length} announcements\n`)
