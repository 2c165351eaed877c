/** After a journey through the whole product nothing that it wrote holds a secret: logs, traces, metrics, records of the log, every column of every table (security.md XP01, auth.md S29, S30). */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createEnvelopeEncryption, keyIdOf } from '@wds/envelope-encryption/envelope-encryption'
import { type FakeReceiver, startFakeReceiver } from '@wds/fake-receiver/fake-receiver'
import { serviceNames } from '@wds/provision/provision'
import { type Collector, startCollector } from '@wds/telemetry/otlp-collector'
import pg from 'pg'
import { type Edge, startEdge } from '../harness/edge.ts'
import { type Stack, startStack } from '../harness/stack.ts'
import { eventually, root } from '../harness/standalone.ts'
import { createUndo } from '../harness/undo.ts'
import { inAddress, makeSecrets } from './journey.ts'
import { findSecrets, type Secret, type Written } from './secret-search.ts'

const preload = pathToFileURL(join(root, 'packages/telemetry/src/otel/preload.ts')).href

const { undo, stop } = createUndo()
let collector: Collector
let stack: Stack
let admin: pg.Client
let secrets: Secret[]
beforeAll(async () => {
  collector = await startCollector()
  undo.push(() => collector.close())
  const receiver: FakeReceiver = await startFakeReceiver()
  undo.push(() => receiver.close())
  const edge: Edge = await startEdge()
  undo.push(() => edge.close())
  const env = { ...collector.env, ...collector.metricsEnv, WDS_LOG_LEVEL: 'debug' }
  stack = await startStack({ env: { ...env, WDS_BASE_URL: edge.url, WDS_AUTH_URL: edge.url } })
  undo.push(stack.stop)
  const services = await Promise.all(serviceNames.map((name) => stack.start(name, { nodeArgs: ['--import', preload] })))
  await Promise.all(services.map((one) => edge.add(one)))
  admin = new pg.Client({ connectionString: stack.adminUrls.auth })
  await admin.connect()
  undo.push(() => admin.end())
  secrets = [
    ...(await makeSecrets({ stack, url: edge.url, receiverUrl: receiver.url })),
    ...(await secretsOfDeployment()),
  ]
  await eventually('the webhook arrives', async () => receiver.received.length > 0)
  await eventually('the outboxes are empty', async () => {
    const counts = serviceNames.map((name) => `(select count(*) from ${name}.outbox)`)
    const { rows } = await admin.query<{ n: number }>(`select (${counts.join(' + ')})::int as n`)
    return rows[0]?.n === 0
  })
  // What ends tells of everything.
  expect(await Promise.all(services.map((one) => one.stop()))).toEqual([0, 0, 0, 0])
})
afterAll(stop)

/** Files of keys, and the private halves of the keys that sign access tokens. */
async function secretsOfDeployment(): Promise<Secret[]> {
  const files = readdirSync(stack.folder).filter((name) => /key$|token$/.test(name))
  const texts = files.map((name) => ({ name: `file ${name}`, value: readFileSync(join(stack.folder, name), 'utf8') }))
  const key = Buffer.from(readFileSync(join(stack.folder, 'encryption-key'), 'utf8'), 'base64')
  const envelope = createEnvelopeEncryption([{ kid: keyIdOf(key), key }])
  const { rows } = await admin.query<{ kid: string; private_jwk: string }>(
    'select kid, private_jwk from auth.signing_keys',
  )
  const keys = rows.map(({ kid, private_jwk }) => {
    const place = { workspaceId: '', table: 'signing_keys', rowId: kid, column: 'private_jwk' }
    return { name: 'private key', value: JSON.parse(envelope.decrypt(private_jwk, place)).d as string }
  })
  return [...texts, ...keys]
}

/** Every column of every row of every table; a value of bytes once more as bytes. */
async function dump(): Promise<Written[]> {
  const { rows: tables } = await admin.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`,
  )
  const written: Written[] = []
  for (const { name } of tables) {
    const { rows } = await admin.query<Record<string, unknown>>(`select t.*, t::text as "the whole row" from ${name} t`)
    for (const row of rows) {
      for (const [column, value] of Object.entries(row)) {
        if (value === null) continue
        const text = value instanceof Uint8Array ? value : typeof value === 'string' ? value : JSON.stringify(value)
        written.push({ place: `${name}.${column}`, text })
      }
    }
  }
  return written
}

const logs = (): Written[] =>
  readdirSync(stack.folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.log'))
    .map((entry) => ({ place: entry.name, text: readFileSync(join(entry.parentPath, entry.name), 'utf8') }))

const told = (): Written[] => [
  { place: 'spans', text: JSON.stringify(collector.spans()) },
  { place: 'metrics', text: JSON.stringify(collector.metrics()) },
]

test('XP01, S29, S30, S33: 0 secrets of any kind in logs, traces, metrics, records and tables', async () => {
  const kinds = new Set(secrets.map(({ name }) => name.replace(/^file .*/, 'file')))
  expect([...kinds].sort()).toEqual([
    ...[
      'API key',
      'access_token',
      'client secret',
      'code',
      'cookie',
      'file',
      'password',
      'private key',
      'refresh_token',
    ],
    ...[
      'signing secret',
      'token of a password link',
      'token of a webhook’s address',
      'token of an invitation',
      'token of postbacks',
      'verifier',
    ],
  ])
  const [files, traces, tables] = [logs(), told(), await dump()]
  // There is something to be searched.
  expect(files.length).toBeGreaterThanOrEqual(4)
  expect(collector.spans().length).toBeGreaterThan(100)
  for (const table of ['auth.sessions', 'auth.engine_records', 'auth.audit_log', 'log.', 'delivery.delivery_log'])
    expect([table, tables.some(({ place }) => place.startsWith(table))]).toEqual([table, true])
  expect(findSecrets(secrets, [...files, ...traces])).toEqual([])
  const ours = secrets.filter(({ name }) => name !== inAddress)
  expect(findSecrets(ours, tables)).toEqual([])
})

test('the search finds what is planted: in a log, a column of text, JSON and bytes', async () => {
  const [secret] = secrets as [Secret]
  await admin.query('create table public.planted (plain text, json jsonb, bytes bytea)')
  await admin.query('insert into public.planted values ($1, $2, $3)', [
    ...[`x${secret.value}x`, JSON.stringify({ a: [Buffer.from(secret.value).toString('base64')] })],
    Buffer.from(`\u0000${secret.value}`),
  ])
  appendFileSync(
    join(stack.folder, 'planted.log'),
    `{"path":"/x?token=${Buffer.from(secret.value).toString('hex')}"}\n`,
  )
  const found = findSecrets([secret], [...logs(), ...(await dump())])
  for (const [place, form] of [
    ['planted.log', 'hex'],
    ['public.planted.plain', 'plain'],
    ['public.planted.json', 'base64'],
    ['public.planted.bytes', 'plain'],
    ['public.planted.the whole row', 'hex'],
  ])
    expect(found).toContain(`${secret.name} stands in ${place} as ${form}`)
})
