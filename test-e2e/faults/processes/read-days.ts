/** What the checker of days asks of the api service: read once no day waits for a restatement. */
import pg from 'pg'
import type { DayRecord } from '../../../services/api/src/stats-days/day-checker.fixture.ts'
import { eventually } from '../../harness/standalone.ts'

/** Waits until nothing of the days waits any more. `adminUrl`: of the database of the api service, as superuser; one workspace is in it. */
export async function readDays(adminUrl: string): Promise<DayRecord> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    const ask = async <T>(sql: string) => (await admin.query(sql)).rows as T[]
    const waits = `select from api.stats_day_work w join api.stats_days d on d.workspace_id = w.workspace_id and d.id = w.day::text
                    where d.status = 'final' and w.pending_since is not null
                   union all select from api.outbox`
    await eventually('no day waits for a restatement', async () => (await ask(waits)).length === 0)
    const told = await ask<{ event_id: string; payload: Buffer }>(
      `select event_id, payload from log.records where topic = 'workspace.events' order by 1`,
    )
    // Repeated by the relay, an event has the same id.
    const once = new Map(told.map(({ event_id, payload }) => [event_id, JSON.parse(payload.toString('utf8'))]))
    return {
      rows: await ask<DayRecord['rows'][number]>(
        `select r.*, r.workspace_day::text as workspace_day, extract(epoch from r.hour)::float8 * 1000 as hour_ms
           from api.stats_rows r where not deleted`,
      ),
      rollups: await ask<DayRecord['rollups'][number]>('select u.*, u.day::text as day from api.stats_rollups u'),
      days: await ask<DayRecord['days'][number]>(
        `select d.id as date, d.status, d.state->'revisions' as revisions, false as pending from api.stats_days d order by 1`,
      ),
      told: [...once.values()],
    }
  } finally {
    await admin.end()
  }
}
