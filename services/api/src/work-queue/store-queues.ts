// In which queues of the worker something is due. More than a loop may take now is no harm: it looks and finds nothing.
import type { Pool } from '@wds/postgres/pool'

/** An index on each `due` serves it. */
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

export type Queue = keyof typeof queues

export const queueNames = Object.keys(queues) as Queue[]

const lookSql = `select ${queueNames.map((name) => `exists (${queues[name]}) as ${name}`).join(', ')}`

/** The queues in which something is due. */
export async function lookAtQueues(pool: Pool): Promise<Queue[]> {
  const { rows } = await pool.query<Record<Queue, boolean>>({ name: 'queues-look', text: lookSql })
  return queueNames.filter((name) => rows[0]?.[name])
}
