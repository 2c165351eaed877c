// Reads the files that wait and have no run (domain.md 3.12): the files of a workspace in their order, workspaces in turns, each turn in
// one transaction. After a crash a turn is done anew.
import type { WakeSignal } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'
import { isTransient, type Transaction } from '@wds/postgres/transaction'
import { runLoop } from '@wds/service-host/loop'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'
import { importCampaigns } from '../campaign-imports/import-campaigns.ts'
import { failFile, noCounts, type OpenFile, openFile } from '../files/open-file.ts'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import type { ImportType } from '../imports/domain/import.ts'
import { deferFileWork, type FileWork, takeFileWork } from '../imports/store-file-work.ts'
import { importPayments } from '../payment-imports/import-payments.ts'
import { importRates } from '../rate-imports/import-rates.ts'
import { SourceFailure } from '../sources/source.ts'
import { carryOutInTurn, type Turns } from '../work-queue/carry-out-in-turn.ts'

/** The lines of a large file are stored in one statement. */
const statementTimeoutMs = 60_000
/** A file that cannot be read now stops no other workspace. */
const failedWaitMs = 30_000

interface FileReader {
  pool: Pool
  logger: Logger
  referenceRates: ReferenceRates
  /** Attempts at a file that a fault of the service ends. */
  attemptsMax: number
}

/** What one turn does with a file of each type: ends it, or keeps how far it came. Throws SourceFailure for one that cannot be read. */
const importers: Record<
  Exclude<ImportType, 'stats'>,
  (tx: Transaction, file: OpenFile, o: Pick<FileReader, 'referenceRates'>) => Promise<void>
> = {
  fx_rates: (tx, file, { referenceRates }) => importRates(tx, file, referenceRates),
  invoice_payments: importPayments,
  campaigns: importCampaigns,
}

/** Reads the files that wait, over all workspaces, until the signal is aborted. */
export function runFileImports(
  o: FileReader & {
    pollMs: number
    /** Ends a rest. */
    due: WakeSignal
    signal: AbortSignal
    progress: Progress
  },
): Promise<void> {
  const { logger, signal, progress, pollMs, due: wake } = o
  const turns = { last: '' }
  const turn = () => importFileOnce({ ...o, turns })
  return runLoop({ name: 'file-imports', logger, signal, progress, pauseMs: pollMs, wake, turn })
}

/** Takes a turn at the next file; false when none is due. `turns`: whose file was read last. */
export function importFileOnce(o: FileReader & { turns: Turns }): Promise<boolean> {
  const { pool, turns, logger } = o
  return carryOutInTurn<FileWork>({
    pool,
    turns,
    statementTimeoutMs,
    take: takeFileWork,
    async handle(tx, work) {
      const file = await openFile(tx, work)
      if (file !== null) await importerOf(file)(tx, file, o)
    },
    report({ workspaceId, importId }, err) {
      if (err instanceof SourceFailure) return
      logger.error({ err, workspace_id: workspaceId, import_id: importId }, 'file could not be read')
    },
    defer: (tx, work, error) => endFailedAttempt(tx, work, { error, attemptsMax: o.attemptsMax }),
  })
}

function importerOf({ order: { import_type: type } }: OpenFile) {
  if (type === 'stats') throw new Error('a file of stats has a run')
  return importers[type]
}

/**
 * A file that cannot be read fails at once. A fault of the service is followed by another attempt, until they are used up; a state of the
 * server that passes, such as a full disk, uses up none.
 */
async function endFailedAttempt(
  tx: Transaction,
  work: FileWork,
  { error, attemptsMax }: { error: unknown; attemptsMax: number },
): Promise<void> {
  const isOfFile = error instanceof SourceFailure
  const isCounted = !isTransient(error)
  if (!isOfFile && (!isCounted || work.attempts + 1 < attemptsMax))
    return deferFileWork(tx, work, { waitMs: failedWaitMs, isCounted })
  const { code, line } = isOfFile ? error : { code: 'internal_error' as const, line: null }
  const file = await openFile(tx, work)
  const counts = work.progress?.counts ?? noCounts
  if (file !== null) await failFile(tx, file, { code, line, counts, rejects: [] })
}
