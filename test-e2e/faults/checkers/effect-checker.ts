/**
 * I15 of reliability.md, as far as it reaches today: an effect takes place once. Judges the tables of sources and what was told of them by
 * keys of its own, not by the unique indexes of the product. It shares no code with the services.
 */

/** One row of `stats_rows` that counts; `key`: what tells it from all others of its integration. */
export interface SourceRow {
  integrationId: string
  key: string
  /** Measures by name, null where none was supplied. */
  measures: Record<string, number | null>
}

export interface EffectHistory {
  conversions: { integrationId: string; event: string; txId: string; amount: number }[]
  /** Conversions that a sender was told are stored, by integration. */
  acknowledged: ReadonlyMap<string, number>
  rows: SourceRow[]
  /** Rows as the source shows them, by integration that pulls: `key` as above. */
  shown: ReadonlyMap<string, SourceRow[]>
  runs: { id: string; integrationId: string; status: string }[]
  /** What stands in the log, repetitions at other offsets included. */
  told: { eventId: string; type: string; data: Record<string, unknown> }[]
}

/** One sentence for each breach; none when all is well. */
export function effectBreachesOf(h: EffectHistory): string[] {
  return [
    ...doubles(h.conversions, (c) => `the conversion ${c.integrationId}, ${c.event}, ${c.txId}`),
    ...doubles(h.rows, (row) => `the row ${row.integrationId}, ${row.key}`),
    ...conversionBreaches(h),
    ...[...h.shown].flatMap(([id, rows]) => shownBreaches(id, rows, h.rows)),
    ...runBreaches(h),
    ...doubles(eventsOf(h), onceKeyOf),
  ]
}

/** The key of the event by `domain.md` 9; events without a key in their data are counted apart. */
function onceKeyOf({ type, data }: EffectHistory['told'][number]): string | null {
  if (type === 'sync.started') return `${type} of ${data.sync_run_id}`
  if (type === 'stats.daily_ready') return `${type} of ${data.date}`
  if (type === 'stats.restated') return `${type} of ${data.date}, revision ${data.revision}`
  if (type === 'campaign.created') return `${type} of ${data.integration_id}, ${data.external_id}`
  return null
}

/** Repeated by the relay, an event has the same id. */
function eventsOf({ told }: EffectHistory): EffectHistory['told'] {
  return [...new Map(told.map((event) => [event.eventId, event])).values()]
}

function doubles<T>(all: readonly T[], keyOf: (one: T) => string | null): string[] {
  return [...Map.groupBy(all, keyOf)]
    .filter(([key, same]) => key !== null && same.length > 1)
    .map(([key, same]) => `I15: ${key} is there ${same.length} times`)
}

/** What was acknowledged is stored, and its sums are those of the rows. */
function conversionBreaches({ acknowledged, conversions, rows }: EffectHistory): string[] {
  return [...acknowledged].flatMap(([id, wanted]) => {
    const mine = conversions.filter(({ integrationId }) => integrationId === id)
    if (mine.length !== wanted) return [`I15: ${id} has ${mine.length} conversions, ${wanted} were acknowledged`]
    const stored = `${mine.length} of ${sum(mine.map(({ amount }) => amount))}`
    const own = rows.filter(({ integrationId }) => integrationId === id)
    const of = (name: string) => sum(own.map(({ measures }) => measures[name] ?? 0))
    const summed = `${of('deposits')} of ${of('deposits_amount')}`
    return summed === stored ? [] : [`I15: the rows of ${id} sum up to ${summed}, its conversions to ${stored}`]
  })
}

function shownBreaches(id: string, shown: SourceRow[], all: SourceRow[]): string[] {
  const own = new Map(all.filter(({ integrationId }) => integrationId === id).map((row) => [row.key, row.measures]))
  const wanted = new Map(shown.map(({ key, measures }) => [key, measures]))
  return [...new Set([...own.keys(), ...wanted.keys()])].flatMap((key) => {
    const [there, right] = [own.get(key), wanted.get(key)]
    if (right === undefined) return [`I15: ${id} has the row ${key}, which its source does not show`]
    const differs = Object.keys(right).filter((name) => there?.[name] !== right[name])
    return differs.length > 0 ? [`I15: ${id} has not the ${differs} of its source in the row ${key}`] : []
  })
}

/** Each run that finished was told of once, and none is left open. `sync.completed` does not name its run. */
function runBreaches(h: EffectHistory): string[] {
  const open = h.runs.filter(({ status }) => !['succeeded', 'failed', 'canceled'].includes(status))
  const told = eventsOf(h).filter(({ type }) => type === 'sync.completed')
  const ids = new Set(
    [...h.runs, ...told.map(({ data }) => ({ integrationId: String(data.integration_id) }))].map(
      ({ integrationId }) => integrationId,
    ),
  )
  return [
    ...open.map(({ id, status }) => `I15: the run ${id} is ${status} and has no end`),
    ...[...ids].flatMap((id) => {
      const ended = h.runs.filter((run) => run.integrationId === id && /succeeded|failed/.test(run.status)).length
      const completed = told.filter(({ data }) => data.integration_id === id).length
      return ended === completed ? [] : [`I15: ${id} has ${ended} finished runs, ${completed} were told of`]
    }),
  ]
}

const sum = (numbers: number[]): number => numbers.reduce((all, one) => all + one, 0)
