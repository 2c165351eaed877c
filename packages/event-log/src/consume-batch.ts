// Tries a batch until each of its records took effect or is in the dead letters. A record that keeps failing must never stop a
// partition, and a fault that passes by itself costs no record.

import { Backoff, backoffMs } from '@wds/pacing/backoff'
import { wait } from '@wds/pacing/wait'
import { LogThrottle } from '@wds/telemetry/log-throttle'
import { type Applying, applyBatches, applyInTransaction } from './apply-batches.ts'
import { insertDeadLetter, PositionMoved } from './consumer-store.ts'
import { countDeadLetter } from './consumer-telemetry.ts'
import type { Batch, LogLogger, LogRecord } from './port.ts'
import { passes, reasonOf, triesMax } from './record-faults.ts'

const backOffMs = { min: 20, max: 5000 }
/** While it goes on failing. */
const logEveryMs = 300_000

/** `stopped`: once aborted, failing records are left to the next member, so that a stop does not wait for the database. */
export interface Consuming extends Applying {
  logger: LogLogger
  stopped?: AbortSignal
}

/** Applies one batch: in one transaction, or record by record when that fails. */
export async function consumeBatch(o: Consuming, batch: Batch): Promise<void> {
  const last = batch.records.at(-1)
  if (!last) return
  const backoff = new Backoff(backOffMs)
  const throttle = new LogThrottle({ everyMs: logEveryMs })
  for (;;) {
    try {
      await applyBatches(o, [batch])
      return
    } catch (error) {
      if (isPartitionLost(error, batch)) throw error
      if (!passes(error)) {
        o.logger.warn(
          { err: error, consumer: o.name, topic: batch.topic },
          'batch failed, records are tried one by one',
        )
        break
      }
      await pauseAfterFailure(o, batch, { backoff, throttle }, error)
    }
  }
  for (const record of batch.records) await consumeRecord(o, batch, record)
}

/** Retries one record until it took effect or is in the dead letters. When dead-lettering fails, the effect is tried again too: both may have failed for the same reason. */
async function consumeRecord(o: Consuming, batch: Batch, record: LogRecord): Promise<void> {
  const backoff = new Backoff(backOffMs)
  const throttle = new LogThrottle({ everyMs: logEveryMs })
  for (let counted = 0; ; ) {
    let fault = await faultOf(() => applyBatches(o, [{ ...batch, records: [record] }]))
    if (fault === null) return
    if (!(isPartitionLost(fault.error, batch) || passes(fault.error))) {
      counted += 1
      if (counted < triesMax(fault.error)) {
        await pause(o, batch, backoffMs(backOffMs, counted + 1))
        continue
      }
      const why = { reason: reasonOf(fault.error), tries: counted }
      fault = await faultOf(() => moveToDeadLetters(o, batch, record, why))
      if (fault === null) return
    }
    if (isPartitionLost(fault.error, batch)) throw fault.error
    await pauseAfterFailure(o, batch, { backoff, throttle }, fault.error)
  }
}

async function faultOf(work: () => Promise<void>): Promise<{ error: unknown } | null> {
  try {
    await work()
    return null
  } catch (error) {
    return { error }
  }
}

/** True when another member has the partition: nothing of the batch may take effect here any more. */
function isPartitionLost(error: unknown, batch: Batch): boolean {
  return error instanceof PositionMoved || batch.signal.aborted
}

async function moveToDeadLetters(
  o: Consuming,
  batch: Batch,
  record: LogRecord,
  why: { reason: string; tries: number },
): Promise<void> {
  await applyInTransaction(o, [{ ...batch, records: [record] }], async (tx, fresh) => {
    for (const dead of fresh) await insertDeadLetter(tx, o.name, dead, why)
  })
  countDeadLetter(o.name, record)
  o.logger.error({ consumer: o.name, event_id: record.eventId, reason: why.reason }, 'record moved to dead letters')
}

/** Waits before the next try; logs the first failure and one every 5 minutes. Throws when the partition is lost, and at a stop. */
async function pauseAfterFailure(
  o: Consuming,
  batch: Batch,
  { backoff, throttle }: { backoff: Backoff; throttle: LogThrottle },
  error: unknown,
): Promise<void> {
  const { topic, partition } = batch
  const fields = { err: error, consumer: o.name, topic, partition, failures: backoff.count }
  throttle.wrong(() => o.logger.warn(fields, 'consumer cannot write to its database, retrying'))
  await pause(o, batch, backoff.next())
}

/** Waits and then renews the hold on the partition. Throws when it is lost, and at a stop. */
async function pause({ stopped }: Consuming, batch: Batch, ms: number): Promise<void> {
  const ended = stopped === undefined ? batch.signal : AbortSignal.any([batch.signal, stopped])
  await wait(ms, ended)
  stopped?.throwIfAborted()
  await batch.heartbeat()
}
