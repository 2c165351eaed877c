// Keeps the events of a test's database before it is dropped, as material for golden logs (reliability.md F51).
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

/** Writes two files of NDJSON below the folder: events of streams, and announcements that wait in outboxes. Nothing where there are none. */
export async function recordEvents({ adminUrl, folder }: { adminUrl: string; folder: string }): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    const of = async (table: string, columns: string) => {
      const found = await admin.query<{ schema: string }>(
        'select table_schema as schema from information_schema.tables where table_name = $1 order by 1',
        [table],
      )
      const parts = found.rows.map(({ schema }) => `select '${schema}' as schema, ${columns} from ${schema}.${table}`)
      return parts.length === 0 ? [] : (await admin.query(`${parts.join(' union all ')} order by 1, 2, 3, 4`)).rows
    }
    const name = randomBytes(6).toString('hex')
    const streams = await of('stream_events', 'stream_type, workspace_id, stream_id, version, event_type, data')
    const told = await of('outbox', `topic, event_id, key, headers, encode(payload, 'base64') as payload, workspace_id`)
    mkdirSync(folder, { recursive: true })
    const write = (kind: string, rows: object[]) =>
      rows.length > 0 &&
      writeFileSync(join(folder, `${kind}-${name}.ndjson`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    write('streams', streams)
    write('told', told)
  } finally {
    await admin.end()
  }
}
