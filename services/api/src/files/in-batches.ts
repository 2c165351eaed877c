// Reads a file in turns (domain.md 3.12): the first turn reads it whole, so that one that cannot be read changes nothing; each further one deals
// with a batch of lines and keeps how far it came, in one transaction.
import { Turn } from '@wds/pacing/turn'
import type { Transaction } from '@wds/postgres/transaction'
import type { ImportCounts } from '../imports/domain/import.ts'
import { type FileProgress, keepProgress } from '../imports/store-file-work.ts'
import { addRejects, rejectOf } from '../imports/store-rejects.ts'
import type { RejectedRow } from '../sources/domain/check-row.ts'
import { recordsMax, rejectsKeptMax } from '../sources/domain/ingest-limits.ts'
import { SourceFailure } from '../sources/source.ts'
import type { Cells, NamedColumns } from './domain/named-columns.ts'
import { headerOf, piecesFrom } from './file-place.ts'
import { chunksOf, completeFile, noCounts, type OpenFile } from './open-file.ts'
import { readLines } from './read-lines.ts'

/** Lines of a turn. What they change is locked until it ends: whoever changes the same by hand waits for one turn at most. */
export const batchLines = 100

/** What became of a line. */
export type Outcome = 'recorded' | 'unchanged' | RejectedRow

export interface FileInBatches<C extends string, L> {
  columns: NamedColumns<C>
  /** What can be said of a line by itself. */
  check(cells: Cells<C>): { ok: true; cells: L } | RejectedRow
  /** Gives what became of each line, in their order. */
  record(tx: Transaction, file: OpenFile, lines: readonly L[]): Promise<Outcome[]>
}

export async function importInBatches<C extends string, L>(
  tx: Transaction,
  file: OpenFile,
  o: FileInBatches<C, L>,
): Promise<void> {
  const { work } = file
  if (work.progress === null) {
    await readWhole(tx, file, o)
    return keepProgress(tx, work, { byte: 0, line: 0, counts: noCounts })
  }
  const { lines, place, isEnd } = await readBatch(tx, file, o, work.progress)
  const counts = await recordBatch(tx, file, o, { lines, before: work.progress.counts })
  if (isEnd) await completeFile(tx, file, { counts })
  else await keepProgress(tx, work, { ...place, counts })
}

/** Throws SourceFailure for a file that cannot be read, or is too large. */
async function readWhole<C extends string>(
  tx: Transaction,
  { work, order: { format } }: OpenFile,
  { columns }: Pick<FileInBatches<C, never>, 'columns'>,
): Promise<void> {
  const turn = new Turn()
  let seen = 0
  for await (const { line } of readLines({ bytes: chunksOf(tx, work), format, columns })) {
    if (turn.isOver()) await turn.pass()
    seen += 1
    if (seen > recordsMax) throw new SourceFailure('feed_too_large', line)
  }
}

interface NumberedLine<L> {
  line: number
  row: { ok: true; cells: L } | RejectedRow
}

async function readBatch<C extends string, L>(
  tx: Transaction,
  { work, order: { format } }: OpenFile,
  { columns, check }: FileInBatches<C, L>,
  { byte, line }: FileProgress,
): Promise<{ lines: NumberedLine<L>[]; place: { byte: number; line: number }; isEnd: boolean }> {
  const place = { byte, line }
  const header = format === 'csv' && byte > 0 ? await headerOf(tx, work) : []
  const bytes = piecesFrom(tx, work, place)
  const behind = byte === 0 ? {} : { behind: { lines: line, header } }
  const lines: NumberedLine<L>[] = []
  for await (const { line, row } of readLines({ bytes, format, columns, ...behind })) {
    lines.push({ line, row: row.ok ? check(row.cells) : row })
    if (lines.length === batchLines) return { lines, place, isEnd: false }
  }
  return { lines, place, isEnd: true }
}

/** Gives the counts behind the batch. */
async function recordBatch<C extends string, L>(
  tx: Transaction,
  file: OpenFile,
  { record }: FileInBatches<C, L>,
  { lines, before }: { lines: NumberedLine<L>[]; before: ImportCounts },
): Promise<ImportCounts> {
  const { workspaceId, importId } = file.work
  const good = lines.flatMap(({ row }) => (row.ok ? [row.cells] : []))
  const outcomes = (await record(tx, file, good)).values()
  const rejects = []
  let unchanged = 0
  for (const { line, row } of lines) {
    const outcome = row.ok ? outcomes.next().value : row
    if (outcome === undefined) throw new Error('a line without an outcome')
    if (outcome === 'unchanged') unchanged += 1
    else if (outcome !== 'recorded') rejects.push(rejectOf(line, outcome))
  }
  await addRejects(tx, workspaceId, importId, rejects.slice(0, Math.max(0, rejectsKeptMax - before.rejected)))
  return {
    lines: before.lines + lines.length,
    accepted: before.accepted + lines.length - rejects.length,
    rejected: before.rejected + rejects.length,
    unchanged: before.unchanged + unchanged,
  }
}
