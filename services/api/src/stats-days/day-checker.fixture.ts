// Judges what became of days by I16 and I17 of reliability.md, from raw rows and announced events alone: nothing of the product takes
// part. For tests only.
import { createHash } from 'node:crypto'

const measureNames =
  'impressions clicks unique_clicks signups ftds qualified_ftds deposits ftd_amount deposits_amount withdrawals_amount ggr bonuses_amount fees_amount chargebacks_amount ngr cpa_commission revshare_commission other_commission'.split(
    ' ',
  )

export type DayRow = Record<string, unknown> & { workspace_day: string; hour_ms: number | null }
export interface ToldEvent {
  type: string
  data: Record<string, unknown>
}
export interface DayRecord {
  rows: DayRow[]
  rollups: (Record<string, unknown> & { day: string })[]
  days: {
    date: string
    status: string
    /** Rows have changed since it was rolled up. */
    pending: boolean
    revisions: { revision: number; checksum: string }[]
  }[]
  told: ToldEvent[]
}

const keyOf = (row: Record<string, unknown>) =>
  JSON.stringify(
    ['integration_id', 'brand_slug', 'campaign_external_id', 'country', 'sub_affiliate_id', 'currency'].map(
      (name) => row[name],
    ),
  )

/** What is wrong, one line each; nothing where all holds. */
export function dayFaults(record: DayRecord): string[] {
  const faults = record.days.flatMap((day) => {
    const last = day.revisions.at(-1)
    if ((day.status === 'final') !== (last !== undefined))
      return [`I16: ${day.date} is ${day.status} with ${day.revisions.length} revisions`]
    const numbers = day.revisions.map(({ revision }) => revision)
    if (numbers.some((number, index) => number !== index + 1)) return [`I17: ${day.date} has the revisions ${numbers}`]
    const tellings = (type: string) => record.told.filter((one) => one.type === type && one.data.date === day.date)
    const ready = tellings('stats.daily_ready').length
    if (ready !== (last ? 1 : 0)) return [`I17: daily_ready of ${day.date} was told ${ready} times`]
    const restated = tellings('stats.restated').map(({ data }) => data.revision)
    if (JSON.stringify(restated) !== JSON.stringify(numbers.slice(1)))
      return [`I17: ${day.date} has the revisions ${numbers}, restatements told are ${restated}`]
    const rollups = record.rollups.filter((rollup) => rollup.day === day.date)
    if (!last) return rollups.length === 0 ? [] : [`I17: ${day.date} has a rollup and is ${day.status}`]
    // While rows wait for their restatement, they are not those of the rollup.
    if (day.pending) return []
    const rows = record.rows.filter((row) => row.workspace_day === day.date)
    if (checksumOf(rows) !== last.checksum) return [`I17: the checksum of ${day.date} is not that of its rows`]
    return sumsOf(rows) === sumsOf(rollups) ? [] : [`I17: the rollup of ${day.date} is not the sum of its rows`]
  })
  const known = new Set(record.days.map(({ date }) => date))
  const orphans = record.rollups
    .filter(({ day }) => !known.has(day))
    .map(({ day }) => `I17: a rollup of no day: ${day}`)
  const tellsOfDays = /^stats\.(?:daily_ready|restated)$/
  const invented = record.told
    .filter(({ type, data }) => tellsOfDays.test(type) && !known.has(String(data.date)))
    .map(({ type, data }) => `I17: ${type} was told of no day: ${data.date}`)
  return [...faults, ...orphans, ...invented]
}

/** By key: each measure's sum, null where none was supplied. As text that is compared. */
function sumsOf(rows: readonly Record<string, unknown>[]): string {
  const groups = Map.groupBy(rows, keyOf)
  const sums = [...groups].map(([key, members]) => {
    const measures = measureNames.map((name) => {
      const given = members.map((row) => row[name]).filter((value) => value !== null)
      return given.length === 0 ? null : String(given.reduce<bigint>((sum, value) => sum + BigInt(String(value)), 0n))
    })
    return `${key} ${JSON.stringify(measures)}`
  })
  return sums.sort().join('\n')
}

/** domain.md 7. */
export function checksumOf(rows: readonly DayRow[]): string {
  const escaped = (value: unknown) =>
    String(value ?? '')
      .replaceAll('\\', '\\\\')
      .replaceAll('|', '\\|')
      .replaceAll('\n', '\\n')
  const lines = rows.map((row) => {
    const hour = row.hour_ms === null ? '' : new Date(row.hour_ms).toISOString()
    const key = [row.integration_id, hour, row.brand_slug, escaped(row.campaign_external_id), row.country ?? '']
    const rest = [escaped(row.sub_affiliate_id), row.currency, ...measureNames.map((name) => row[name] ?? '')]
    return Buffer.from(`${[...key, ...rest].join('|')}\n`)
  })
  const sorted = lines.sort(Buffer.compare)
  return `sha256:${createHash('sha256').update(Buffer.concat(sorted)).digest('hex')}`
}
