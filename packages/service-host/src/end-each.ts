// Ends what is over, each in a transaction of its own: one that cannot be ended stops no other.

/** Goes on, `batch` at a time, until nothing is found, or something failed. Rejects with all that failed. */
export async function endEach<T>(o: {
  batch: number
  find(limit: number): Promise<T[]>
  end(one: T): Promise<unknown>
}): Promise<void> {
  const faults: unknown[] = []
  for (let found = o.batch; found === o.batch && faults.length === 0; ) {
    const batch = await o.find(o.batch)
    found = batch.length
    for (const one of batch) await o.end(one).catch((error: unknown) => faults.push(error))
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} could not be ended`)
}

/** Takes each step, one behind the other, whatever became of those before it. Rejects with all that failed. */
export async function takeEach(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const faults: unknown[] = []
  for (const step of steps) await step().catch((error: unknown) => faults.push(error))
  if (faults.length > 0) throw new AggregateError(faults, 'not all that is over was removed')
}
