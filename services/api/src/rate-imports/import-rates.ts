// Reads a file of rates (domain.md 3.12) in one transaction, so that its rates become one set, or none of them is stored.
import { Turn } from '@wds/pacing/turn'
import type { Transaction } from '@wds/postgres/transaction'
import { markRecentDays } from '../anomalies/store-day-work.ts'
import { localDate } from '../calendar/domain/calendar.ts'
import { chunksOf, completeFile, failFile, type OpenFile } from '../files/open-file.ts'
import { readLines } from '../files/read-lines.ts'
import type { RateLine } from '../fx/domain/rate-set.ts'
import { nameOf } from '../fx/rates-of-workspace.ts'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import { addRateSet, newestSetNumber } from '../fx/store-rates.ts'
import type { ImportFormat } from '../imports/domain/import.ts'
import { addRejects, type Reject, rejectOf } from '../imports/store-rejects.ts'
import { rejected } from '../sources/domain/check-row.ts'
import { judgeIngest } from '../sources/domain/ingest-limits.ts'
import { SourceFailure } from '../sources/source.ts'
import { wakeWaitingDays } from '../sub-affiliates/store-work.ts'
import { checkRateLine, rateColumns } from './domain/rate-line.ts'

/** Lines of a file: 30 currencies over 13 years of days with rates. They are held in memory until the last one is read. */
const linesMax = 100_000
/** The zone in which a date begins first. */
const firstZone = 'Pacific/Kiritimati'

export async function importRates(tx: Transaction, file: OpenFile, referenceRates: ReferenceRates): Promise<void> {
  const { work, order, nowMs } = file
  const { workspaceId, importId } = work
  const read = await readFile({
    bytes: chunksOf(tx, work),
    format: order.format,
    today: localDate(nowMs, firstZone),
  })
  const code = judgeIngest({ ...read.counts, storedInWindow: false, allowEmpty: true })
  if (code !== null) {
    const counts = { ...read.counts, unchanged: 0 }
    return failFile(tx, file, { code, line: null, counts, rejects: read.rejects })
  }
  await addRejects(tx, workspaceId, importId, read.rejects)
  const number = (await newestSetNumber(tx, workspaceId)) + 1
  const place = { workspaceId, number, importId, source: order.source ?? importId }
  const added = await addRateSet(tx, { ...place, lines: read.lines })
  if (added > 0) {
    await markRecentDays(tx, workspaceId)
    await wakeWaitingDays(tx)
  }
  const counts = { ...read.counts, unchanged: read.counts.accepted - added }
  const { id } = nameOf(referenceRates[0], added > 0 ? number : number - 1)
  await completeFile(tx, file, { counts, rate_set: id })
}

interface ReadFile {
  lines: RateLine[]
  rejects: Reject[]
  counts: { lines: number; accepted: number; rejected: number }
}

/** `today`: the latest date anywhere. */
async function readFile(o: { bytes: AsyncIterable<Buffer>; format: ImportFormat; today: string }): Promise<ReadFile> {
  const lines = new Map<string, RateLine>()
  const rejects: Reject[] = []
  const turn = new Turn()
  let seen = 0
  for await (const { line, row } of readLines({ ...o, columns: rateColumns })) {
    if (turn.isOver()) await turn.pass()
    seen += 1
    if (seen > linesMax) throw new SourceFailure('feed_too_large', line)
    const checked = row.ok ? checkRateLine(row.cells, o.today) : row
    const key = checked.ok ? `${checked.line.day} ${checked.line.currency}` : ''
    if (!checked.ok) rejects.push(rejectOf(line, checked))
    else if (lines.has(key)) rejects.push(rejectOf(line, rejected('duplicate_key')))
    else lines.set(key, checked.line)
  }
  const counts = { lines: seen, accepted: lines.size, rejected: rejects.length }
  return { lines: [...lines.values()], rejects, counts }
}
