/**
 * I12 of reliability.md 5: a row is the fold of its stream, at any moment. Of integrations, which the fault runs change; the fold is written
 * from domain.md 3.2 and shares no code with the services. Of all other rows the product's own command is asked (row-breaches.ts).
 */

/** Streams and rows as one statement of the database saw them. */
export interface RowHistory {
  /** In the order of stream and version. */
  events: readonly { streamId: string; version: number; type: string; data: EventData }[]
  rows: readonly { id: string; version: number; status: string; tags: readonly string[]; fields: Fields | null }[]
}

type Fields = Readonly<Record<string, unknown>>

export interface EventData {
  fields?: Fields
  patch?: Fields
  /** Of one that was resumed. */
  status?: string
}

interface Folded {
  version: number
  status: string
  fields: Fields | null
}

/** One sentence for each breach; none when all is well. */
export function rowBreachesOf({ events, rows }: RowHistory): string[] {
  const folds = new Map([...Map.groupBy(events, ({ streamId }) => streamId)].map(([id, mine]) => [id, foldOf(mine)]))
  const stored = Map.groupBy(rows, ({ id }) => id)
  return [...new Set([...folds.keys(), ...stored.keys()])].flatMap((id) => {
    const [fold, [row, ...more]] = [folds.get(id), stored.get(id) ?? []]
    if (fold === undefined) return [`I12: the row ${id} has no stream`]
    if (row === undefined) return [`I12: the stream ${id} has no row`]
    if (more.length > 0) return [`I12: ${id} has ${more.length + 1} rows`]
    const asRow = { version: fold.version, status: fold.status, tags: fold.fields?.tags ?? [], fields: fold.fields }
    return Object.entries(asRow)
      .filter(([name, value]) => inOrder(value) !== inOrder(row[name as keyof typeof asRow]))
      .map(([name]) => `I12: the ${name} of the row ${id} is not that of its stream at version ${fold.version}`)
  })
}

/** Later states by the type of their event. Runs of a source change further ones, which no fault run of these makes. */
const statuses: Record<string, string> = {
  IntegrationCreated: 'pending',
  IntegrationPaused: 'paused',
  IntegrationDeleted: 'deleted',
}

function foldOf(events: RowHistory['events']): Folded {
  return events.reduce<Folded>(
    (folded, { version, type, data }) => ({
      version,
      status: statuses[type] ?? (type === 'IntegrationResumed' ? (data.status ?? '') : folded.status),
      fields: data.fields ?? (data.patch ? { ...folded.fields, ...data.patch } : folded.fields),
    }),
    { version: 0, status: 'none', fields: null },
  )
}

/** What a command of the product that compares rows with streams said. */
export interface CommandVerdict {
  service: string
  command: 'check-rows' | 'check-projection'
  code: number | null
  output: string
}

/** A line that says that something was read, and that all of it is right; lines of the way there end otherwise. */
const wellRead: Record<CommandVerdict['command'], RegExp> = {
  'check-rows': /: [1-9]\d* events of [1-9]\d* rows read in .*, 0 differences$/m,
  'check-projection': /: [1-9]\d* deliveries read, 0 differences$/m,
}

export function commandBreachesOf({ service, command, code, output }: CommandVerdict): string[] {
  return code === 0 && wellRead[command].test(output)
    ? []
    : [`I12: ${command} of ${service} says: ${output.slice(-500)}`]
}

/** JSON whose names are in order, at every depth. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
