// The bare chain, the yardstick of every rate here: claim 500, sign, POST, record in batches, and nothing else. Arguments: address of
// a database, the receiver's port, number of origins, rows. Prints one line of JSON: rows and seconds.
import { randomBytes } from 'node:crypto'
import { generateSecret } from '@wds/webhook-signature/secret'
import { signWebhook } from '@wds/webhook-signature/sign'
import pg from 'pg'
import { Pool } from 'undici'

const [url, port, origins, rows] = process.argv.slice(2) as [string, string, string, string]
const batch = 500
const total = Number(rows)

const db = new pg.Pool({ connectionString: url, max: 4 })
await db.query('drop table if exists bare_due, bare_log')
await db.query('create table bare_due (id bigint primary key, origin int not null, payload bytea not null)')
await db.query(
  'create table bare_log (id bigint primary key, at timestamptz not null, status int not null, duration_ms int not null)',
)
await db.query(`insert into bare_due select n, n % $1, $2 from generate_series(1, $3) n`, [
  Number(origins),
  Buffer.from(JSON.stringify({ type: 'sync.failed', data: 'x'.repeat(960) })),
  total,
])
await db.query('vacuum analyze bare_due')

const secrets = [generateSecret(randomBytes(24))]
const pools = Array.from(
  { length: Number(origins) },
  (_, nth) => new Pool(`http://127.0.0.${nth + 1}:${port}`, { connections: 8 }),
)

interface Row {
  id: string
  origin: number
  payload: Buffer
}

async function send(row: Row): Promise<{ id: string; status: number; ms: number }> {
  const startMs = performance.now()
  const timestamp = Math.floor(Date.now() / 1_000)
  const signature = signWebhook({ secrets, id: row.id, timestamp, body: row.payload })
  const pool = pools[row.origin] as Pool
  const { statusCode, body } = await pool.request({
    path: '/hook',
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signature },
    body: row.payload,
  })
  await body.dump()
  return { id: row.id, status: statusCode, ms: Math.round(performance.now() - startMs) }
}

const claim = () =>
  db.query<Row>({
    name: 'claim',
    text: `delete from bare_due where ctid = any(array(select ctid from bare_due order by id limit ${batch} for update skip locked)) returning id, origin, payload`,
  })
const record = (done: { id: string; status: number; ms: number }[]) =>
  db.query({
    name: 'record',
    text: 'insert into bare_log select id, now(), status, ms from unnest($1::bigint[], $2::int[], $3::int[]) as t (id, status, ms)',
    values: [done.map(({ id }) => id), done.map(({ status }) => status), done.map(({ ms }) => ms)],
  })

/** Two of them, so that one sends while the other claims or records. */
async function work(): Promise<void> {
  for (;;) {
    const { rows: claimed } = await claim()
    if (claimed.length === 0) return
    await record(await Promise.all(claimed.map(send)))
  }
}

const startMs = performance.now()
await Promise.all([work(), work()])
const seconds = (performance.now() - startMs) / 1_000
const recorded = Number((await db.query('select count(*) from bare_log where status = 200')).rows[0].count)
await Promise.all(pools.map((pool) => pool.close()))
await db.end()
if (recorded !== total) throw new Error(`${total} rows were due, ${recorded} recorded`)
process.stdout.write(`${JSON.stringify({ rows: recorded, seconds })}\n`)
