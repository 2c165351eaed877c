// Reads the files of rates that wait (domain.md 3.12): one file in one transaction, so that its rates become one set, or none of them is
// stored. After a crash the file is read anew.
import { executeOrFail, type Loaded, load } from '@wds/aggregate/aggregate'
import type { SyncErrorCode } from '@wds/contracts/error-classes'
import type { AppendContext } from '@wds/event-store/event-store'
import { Turn } from '@wds/pacing/turn'
import type { Pool } from '@wds/postgres/pool'
import { setWorkspace, type Transaction, withTransaction } from '@wds/postgres/transaction'
import { runLoop } from '@wds/service-host/loop'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'
import { markRecentDays } from '../anomalies/store-day-work.ts'
import { localDate } from '../calendar/domain/calendar.ts'
import type { RateLine } from '../fx/domain/rate-set.ts'
import { nameOf } from '../fx/rates-of-workspace.ts'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import { addRateSet, newestSetNumber } from '../fx/store-rates.ts'
import type { ImportOrder, ImportState } from '../imports/domain/import.ts'
import { imports } from '../imports/resource.ts'
import { deleteChunks, readChunk } from '../imports/store-chunks.ts'
import { deferRateImport, endRateImport, type RateImportWork, takeRateImport } from '../imports/store-rate-work.ts'
import { addRejects, type Reject, rejectOf } from '../imports/store-rejects.ts'
import { rejected } from '../sources/domain/check-row.ts'
import { judgeIngest, rejectsKeptOfFailed } from '../sources/domain/ingest-limits.ts'
import { SourceFailure } from '../sources/source.ts'
import { wakeWaitingDays } from '../sub-affiliates/store-work.ts'
import { rateLines } from './read-rate-lines.ts'

/** Lines of a file: 30 currencies over 13 years of days with rates. They are held in memory until the last one is read. */
const linesMax = 100_000
/** The lines of a large file are stored in one statement. */
const statementTimeoutMs = 60_000
/** A file that cannot be read now stops no other workspace. */
const failedWaitMs = 30_000
/** The zone in which a date begins first. */
const firstZone = 'Pacific/Kiritimati'

interface ImportRates {
  pool: Pool
  logger: Logger
  references: ReferenceRates
  /** Attempts at a file that a fault of the service ends. */
  attemptsMax: number
}

/** Reads the files that wait, over all workspaces, until the signal is aborted. */
export function runRateImports(
  o: ImportRates & { pollMs: number; signal: AbortSignal; progress: Progress },
): Promise<void> {
  const { logger, signal, progress, pollMs } = o
  const turns = { last: '' }
  const turn = () => importRatesOnce({ ...o, turns })
  return runLoop({ name: 'rate-imports', logger, signal, progress, pauseMs: { min: pollMs, max: pollMs }, turn })
}

/** Reads the next file; false when none is due. `turns`: whose file was read last. */
export async function importRatesOnce(o: ImportRates & { turns: { last: string } }): Promise<boolean> {
  let work: RateImportWork | null = null
  try {
    return await withTransaction(o.pool, { workspaceId: null, statementTimeoutMs }, async (tx) => {
      work = await takeRateImport(tx, o.turns.last)
      if (work === null) return false
      o.turns.last = work.workspaceId
      await setWorkspace(tx, work.workspaceId)
      await importFile(tx, work, o.references)
      return true
    })
  } catch (error) {
    const failed = work as RateImportWork | null
    if (failed === null) throw error
    await endFailedAttempt(o, failed, error)
    return true
  }
}

async function importFile(tx: Transaction, work: RateImportWork, references: ReferenceRates): Promise<void> {
  const started = await startImport(tx, work)
  if (started === null) return
  const { workspaceId, importId } = work
  const { order, nowMs } = started
  const bytes = chunksOf(tx, work)
  const read = await readFile({ bytes, format: order.format, today: localDate(nowMs, firstZone) })
  const code = judgeIngest({ ...read.counts, storedInWindow: false, allowEmpty: true })
  if (code !== null) {
    await failImport(tx, started, { code, line: null, ...read })
    return
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
  const { id } = nameOf(references[0], added > 0 ? number : number - 1)
  const command = { type: 'complete', counts, atMs: nowMs, rate_set: id } as const
  await executeOrFail(tx, imports, { context: contextOf(work), loaded: started.loaded, command })
  await endWork(tx, work)
}

interface Started {
  work: RateImportWork
  loaded: Loaded<ImportState>
  order: ImportOrder
  nowMs: number
}

/** Null where it was canceled. Its row is locked before the work, as by who cancels it. */
async function startImport(tx: Transaction, work: RateImportWork): Promise<Started | null> {
  const loaded = await load(tx, imports, work.importId, { lock: true })
  const order = loaded?.state.order ?? null
  if (loaded === null || order === null || loaded.state.status !== 'queued') {
    await endRateImport(tx, work.workspaceId, work.importId)
    return null
  }
  const { nowMs } = loaded
  const command = { type: 'start', sync_run_id: null, atMs: nowMs } as const
  const started = await executeOrFail(tx, imports, { context: contextOf(work), loaded, command })
  return { work, loaded: started, order, nowMs }
}

interface ReadFile {
  lines: RateLine[]
  rejects: Reject[]
  counts: { lines: number; accepted: number; rejected: number }
}

async function readFile(file: Parameters<typeof rateLines>[0]): Promise<ReadFile> {
  const lines = new Map<string, RateLine>()
  const rejects: Reject[] = []
  const turn = new Turn()
  let seen = 0
  for await (const { line, checked } of rateLines(file)) {
    if (turn.isOver()) await turn.pass()
    seen += 1
    if (seen > linesMax) throw new SourceFailure('feed_too_large', line)
    const key = checked.ok ? `${checked.line.day} ${checked.line.currency}` : ''
    if (!checked.ok) rejects.push(rejectOf(line, checked))
    else if (lines.has(key)) rejects.push(rejectOf(line, rejected('duplicate_key')))
    else lines.set(key, checked.line)
  }
  const counts = { lines: seen, accepted: lines.size, rejected: rejects.length }
  return { lines: [...lines.values()], rejects, counts }
}

async function* chunksOf(tx: Transaction, { workspaceId, importId }: RateImportWork): AsyncGenerator<Buffer> {
  for (let seq = 0; ; seq++) {
    const bytes = await readChunk(tx, { workspaceId, importId, seq })
    if (bytes === null) return
    yield bytes
  }
}

interface FileFault extends Omit<ReadFile, 'lines'> {
  code: SyncErrorCode
  line: number | null
}

async function failImport(tx: Transaction, { work, loaded, nowMs }: Started, fault: FileFault): Promise<void> {
  const counts = { ...fault.counts, unchanged: 0 }
  const command = { type: 'fail', code: fault.code, line: fault.line, counts, atMs: nowMs } as const
  await executeOrFail(tx, imports, { context: contextOf(work), loaded, command })
  await addRejects(tx, work.workspaceId, work.importId, fault.rejects.slice(0, rejectsKeptOfFailed))
  await endWork(tx, work)
}

async function endWork(tx: Transaction, { workspaceId, importId }: RateImportWork): Promise<void> {
  await endRateImport(tx, workspaceId, importId)
  await deleteChunks(tx, workspaceId, importId)
}

/** A file that is none fails at once, as after the last attempt that the service's own fault ends; else another attempt follows. */
async function endFailedAttempt(o: ImportRates, work: RateImportWork, error: unknown): Promise<void> {
  const { workspaceId, importId } = work
  const isOfFile = error instanceof SourceFailure
  if (!isOfFile)
    o.logger.error({ err: error, workspace_id: workspaceId, import_id: importId }, 'file of rates could not be read')
  const fault = isOfFile ? error : { code: 'internal_error' as const, line: null }
  await withTransaction(o.pool, { workspaceId }, async (tx) => {
    if (!isOfFile && work.attempts + 1 < o.attemptsMax) return deferRateImport(tx, work, failedWaitMs)
    const started = await startImport(tx, work)
    const none = { rejects: [], counts: { lines: 0, accepted: 0, rejected: 0 } }
    if (started !== null) await failImport(tx, started, { code: fault.code, line: fault.line, ...none })
  })
}

function contextOf(work: RateImportWork): AppendContext {
  const actor = { type: 'system', id: 'imports' } as const
  const { workspaceId, correlation, importId: causation, traceparent } = work
  return { workspaceId, actor, correlation, causation, trace: { traceparent } }
}
