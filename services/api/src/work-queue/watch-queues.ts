// One look at all queues of the worker, which wakes the loop of each that has something due. Loops that looked by themselves would ask an
// idle database 24 times a second.
import { WakeSignal } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'
import { runLoop } from '@wds/service-host/loop'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'

/** A loop looks by itself so often at least, whatever it is told. */
const ownLookMs = 5_000

/** What has come due in a queue. More than its loop may take now is no harm: it looks and finds nothing. An index on each `due` serves it. */
const queues = {
  /** Of syncs and exports, which share a queue and a signal. */
  work: 'select from due_work where due <= app_now() and (lease_until is null or lease_until <= app_now())',
  files: 'select from import_work where due <= app_now()',
  schedules: `select from schedules where due <= app_now() union all select from schedules where delay_due <= app_now()
    union all select from schedules where expiry_due <= app_now()`,
  calendars: 'select from stats_calendars where due <= app_now() union all select from stats_wakes',
  days: 'select from stats_day_work where due <= app_now()',
  anomalies: 'select from anomaly_day_work where due <= app_now()',
  rules:
    'select from automation_ticks where due <= app_now() union all select from automation_work where due <= app_now()',
} as const

type Queue = keyof typeof queues

const names = Object.keys(queues) as Queue[]

/** Raised when something is due in the queue. */
export type DueSignals = Record<Queue, WakeSignal>

/** `work`: also raised by others. */
export function createDueSignals({ work }: { work: WakeSignal }): DueSignals {
  return { ...(Object.fromEntries(names.map((name) => [name, new WakeSignal()])) as DueSignals), work }
}

/** How long a loop that is woken rests at most. */
export const restOf = (pollMs: number): number => Math.max(pollMs, ownLookMs)

const lookSql = `select ${names.map((name) => `exists (${queues[name]}) as ${name}`).join(', ')}`

/** The queues in which something is due. */
export async function lookAtQueues(pool: Pool): Promise<Queue[]> {
  const { rows } = await pool.query<Record<Queue, boolean>>({ name: 'queues-look', text: lookSql })
  return names.filter((name) => rows[0]?.[name])
}

/** Looks every `pollMs` until the signal is aborted. */
export function watchQueues(o: {
  pool: Pool
  due: DueSignals
  pollMs: number
  logger: Logger
  signal: AbortSignal
  progress: Progress
}): Promise<void> {
  const { pool, due, pollMs, logger, signal, progress } = o
  const turn = async () => {
    for (const name of await lookAtQueues(pool)) due[name].raise()
    return false
  }
  return runLoop({ name: 'queues', logger, signal, progress, pauseMs: pollMs, turn })
}
