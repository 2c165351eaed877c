// What a command of any aggregate promises: one transaction for the stream, the row, the announcement and what is projected.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { PublicEvent } from '@wds/contracts/envelope'
import { accept, type Decider, type InvalidState, reject } from '@wds/decider/decider'
import {
  type AppendContext,
  dbNow,
  isVersionConflict,
  loadStream,
  migrationsDirectory,
} from '@wds/event-store/event-store'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { type Aggregate, blank, execute, executeOrFail, type Loaded, load } from './aggregate.ts'
import { publicEvents } from './announcement.ts'

interface Lamp {
  status: 'none' | 'off' | 'on'
  room: string
}
type Command = { type: 'install'; room: string } | { type: 'turn_on' }
type LampEvent = { type: 'Installed'; data: { room: string } } | { type: 'TurnedOn'; data: Record<never, never> }

const decider: Decider<Lamp, Command, LampEvent, InvalidState> = {
  initialState: { status: 'none', room: '' },
  evolve: (state, event) =>
    event.type === 'Installed' ? { status: 'off', room: event.data.room } : { ...state, status: 'on' },
  decide(state, command) {
    if (command.type === 'install') return accept({ type: 'Installed', data: { room: command.room } })
    if (state.status === 'none') return reject({ code: 'invalid_state', current_status: 'none', allowed: ['install'] })
    return state.status === 'on' ? accept() : accept({ type: 'TurnedOn', data: {} })
  },
}

/** Any event of the catalog: its declaration is judged, too. */
const toPublic = (id: string): PublicEvent => ({ type: 'webhook.enabled', onceKey: id, data: { webhook_id: id } })
const projected: string[] = []
const lamps: Aggregate<Lamp, Command, LampEvent, InvalidState> = {
  streamType: 'lamp',
  idPrefix: 'whk',
  table: 'lamps',
  idColumn: 'lamp_id',
  decider,
  columns: ({ status, room }) => ({ status, room }),
  announce: publicEvents((id, _state, event) => (event.type === 'TurnedOn' ? toPublic(id) : null)),
  async project(tx, { before, after }) {
    await tx.query('update lamps set projected = $2 where lamp_id = $1', [after.id, after.version])
    projected.push(`${before.status} ${after.state.status}`)
  },
}

const workspaceId = 'wsp_1'
const context: AppendContext = {
  workspaceId,
  actor: { type: 'system', id: 'test' },
  correlation: 'req_1',
  trace: { traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` },
}

let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await createTestDatabase()
  const { owner, worker } = database.urls.services.api
  await migrate({ connectionString: owner, schema: 'api', directories: [migrationsDirectory] })
  pool = createPool({ connectionString: worker, applicationName: 'test', max: 4 })
  const ownerPool = createPool({ connectionString: owner, applicationName: 'test', max: 1 })
  await ownerPool.query(`create table lamps (workspace_id text not null, lamp_id text not null, version integer not null,
    status text not null, room text not null, projected integer, state jsonb not null,
    created timestamptz(3) not null, updated timestamptz(3) not null, primary key (workspace_id, lamp_id))`)
  await ownerPool.query(`create table announced_events (workspace_id text not null, event_type text not null,
    once_key text not null, event_id text not null, primary key (workspace_id, event_type, once_key))`)
  await ownerPool.query('grant select, insert, update on lamps, announced_events to wds_api_worker')
  await ownerPool.end()
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

const within = <T>(fn: (tx: Transaction) => Promise<T>) => withTransaction(pool, { workspaceId }, fn)

function install(room: string): Promise<Loaded<Lamp>> {
  return within(async (tx) => {
    const loaded = blank(lamps, { nowMs: await dbNow(tx) })
    return executeOrFail(tx, lamps, { context, loaded, command: { type: 'install', room } })
  })
}

async function loadLamp(tx: Transaction, id: string): Promise<Loaded<Lamp>> {
  const found = await load(tx, lamps, id, { lock: true })
  if (found === null) throw new Error('no lamp')
  return found
}

test('a row is the fold of its stream, with its derived columns and what was projected', async () => {
  projected.length = 0
  const { id } = await install('hall')
  const on = await within(async (tx) =>
    execute(tx, lamps, { context, loaded: await loadLamp(tx, id), command: { type: 'turn_on' } }),
  )
  expect(on).toMatchObject({ ok: true, value: { version: 2, state: { status: 'on', room: 'hall' } } })
  const { rows } = await pool.query('select version, status, room, projected, state from lamps where lamp_id = $1', [
    id,
  ])
  const stream = await within((tx) => loadStream(tx, decider, { workspaceId, streamType: 'lamp', streamId: id }))
  expect(rows).toEqual([{ version: stream.version, status: 'on', room: 'hall', projected: 2, state: stream.state }])
  expect(projected).toEqual(['none off', 'off on'])
  const { rows: outbox } = await pool.query("select 1 from outbox where convert_from(payload, 'UTF8') like $1", [
    `%${id}%`,
  ])
  expect(outbox).toHaveLength(1)
})

test('a refusal and a command that changes nothing write nothing', async () => {
  const { id } = await install('attic')
  const turnOn = () =>
    within(async (tx) => execute(tx, lamps, { context, loaded: await loadLamp(tx, id), command: { type: 'turn_on' } }))
  const first = await turnOn()
  expect(await turnOn()).toMatchObject({ ok: true, events: [], value: { version: 2 } })
  expect(first.ok).toBe(true)
  const loaded = blank(lamps, { nowMs: Date.now() })
  const refused = await within((tx) => execute(tx, lamps, { context, loaded, command: { type: 'turn_on' } }))
  expect(refused).toEqual({ ok: false, error: { code: 'invalid_state', current_status: 'none', allowed: ['install'] } })
  expect(await within((tx) => load(tx, lamps, loaded.id, { lock: false }))).toBeNull()
})

test('a command on what has moved on is a version conflict, and nothing of it is stored', async () => {
  const stale = await install('cellar')
  const turnOn = () => within((tx) => execute(tx, lamps, { context, loaded: stale, command: { type: 'turn_on' } }))
  await turnOn()
  const fault: unknown = await turnOn().catch((error: unknown) => error)
  expect(isVersionConflict(fault)).toBe(true)
  expect(await within((tx) => loadLamp(tx, stale.id))).toMatchObject({ version: 2 })
})

test('what the projection refuses ends the transaction: no event, no row', async () => {
  const broken = { ...lamps, project: (tx: Transaction) => tx.query('select 1 / 0').then(() => undefined) }
  const loaded = blank(lamps, { nowMs: Date.now() })
  const attempt = within((tx) => execute(tx, broken, { context, loaded, command: { type: 'install', room: 'x' } }))
  await expect(attempt).rejects.toThrow('division by zero')
  expect(await within((tx) => load(tx, lamps, loaded.id, { lock: false }))).toBeNull()
})
