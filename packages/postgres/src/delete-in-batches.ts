import type { Queryable } from './pool.ts'

/** Repeats a `delete` that removes at most `$1` rows until one removes fewer, so that no statement holds many locks for long. */
export async function deleteInBatches(db: Queryable, text: string, rowsMax = 1_000): Promise<void> {
  while (((await db.query(text, [rowsMax])).rowCount ?? 0) === rowsMax);
}
