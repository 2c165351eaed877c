// Writes a batch even when one of its rows can never be written: a batch that fails because of a row is halved until that row is alone.
// Only such a row is given up; after any other fault the caller gets the rows that are not written back.

/** What `settleInHalves` is told. */
export interface SettleInHalvesOptions<Row> {
  /** Writes a batch in one transaction; the ids of the deliveries that were written. */
  readonly settle: (rows: Row[]) => Promise<Set<string>>
  /** True when the fault lies in what a row holds: the same rows fail again, others need not. */
  readonly isFaultOfRows: (error: unknown) => boolean
  readonly onWritten: (rows: Row[], settled: Set<string>) => void
  readonly onStuck: (row: Row, error: unknown) => void
}

/** Resolves with the rows that are not written yet and why; `left` is empty when all were written or are stuck. Bounded by 2 × rows statements. */
export async function settleInHalves<Row>(
  rows: Row[],
  o: SettleInHalvesOptions<Row>,
): Promise<{ left: Row[]; error: unknown }> {
  const batches = [rows]
  for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) {
    try {
      o.onWritten(batch, await o.settle(batch))
    } catch (error) {
      if (!o.isFaultOfRows(error)) return { left: [...batch, ...batches.toReversed().flat()], error }
      const [row, ...others] = batch
      const half = Math.ceil(batch.length / 2)
      if (others.length > 0) batches.push(batch.slice(half), batch.slice(0, half))
      else if (row !== undefined) o.onStuck(row, error)
    }
  }
  return { left: [], error: null }
}
