// Groups batches of several partitions that wait at the same time, so that they share a transaction: with few records each, a
// transaction per partition costs more than their effects. When a group fails, each of its batches is applied alone.
import type { Batch } from './port.ts'

interface Waiting {
  batch: Batch
  done: PromiseWithResolvers<void>
}

/** Records of one group: a transaction stays short. */
const recordsMax = 500
/** A batch of so many has a transaction of its own at once: a partition with a backlog must not delay the few records of others. */
const manyRecords = 64

/**
 * Returns the function that applies a batch. `together` applies the waiting batches of one topic, one group at a time; when it rejects,
 * nothing of the group took effect, and each batch is passed to `alone`. A batch of many records goes to `alone` at once.
 */
export function createBatchGroups(o: {
  together(batches: Batch[]): Promise<void>
  alone(batch: Batch): Promise<void>
}): (batch: Batch) => Promise<void> {
  let waiting: Waiting[] = []
  let running = false

  /** The batch that waits longest, and others of its topic as far as they fit. */
  const nextGroup = (): Waiting[] => {
    const group: Waiting[] = []
    const rest: Waiting[] = []
    let records = 0
    for (const one of waiting) {
      const topic = group[0]?.batch.topic ?? one.batch.topic
      const fits = records + one.batch.records.length <= recordsMax
      if (one.batch.topic !== topic || !fits) {
        rest.push(one)
        continue
      }
      group.push(one)
      records += one.batch.records.length
    }
    waiting = rest
    return group
  }
  const takeAlone = ({ batch, done }: Waiting): Promise<void> => o.alone(batch).then(done.resolve, done.reject)
  const take = async (group: Waiting[]): Promise<void> => {
    try {
      await o.together(group.map(({ batch }) => batch))
      for (const { done } of group) done.resolve()
    } catch {
      // Not waited for: one that has to be tried for long must not hold up the next groups.
      for (const one of group) void takeAlone(one)
    }
  }
  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      // What the log hands on in one turn of the event loop belongs together.
      await new Promise((resolve) => setImmediate(resolve))
      await take(nextGroup())
    }
    running = false
  }
  return (batch) => {
    if (batch.records.length >= manyRecords) return o.alone(batch)
    const done = Promise.withResolvers<void>()
    waiting.push({ batch, done })
    if (!running) {
      running = true
      void run()
    }
    return done.promise
  }
}
