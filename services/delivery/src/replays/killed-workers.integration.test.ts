// A bulk replay whose workers are killed: it goes on where the last batch ended, and no delivery gets a second epoch.
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { period, type ReplaysUnderTest, startReplays } from './replays.fixture.ts'

let replays: ReplaysUnderTest
const running = new Set<ChildProcess>()
beforeAll(async () => {
  replays = await startReplays()
})
afterEach(async () => {
  await Promise.all([...running].map(kill))
})
afterAll(() => replays?.stop())

function startWorker(): ChildProcess {
  const file = fileURLToPath(new URL('./replay-worker.fixture.ts', import.meta.url))
  const child = spawn(process.execPath, [file, replays.engine.database.urls.services.delivery.worker], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  running.add(child)
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  running.delete(child)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  if (child.kill('SIGKILL')) await ended
}

async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`)
    await sleep(10)
  }
}

/** Backends of the workers that wait for a lock, or all of them. */
async function backends(o: { waiting: boolean }): Promise<number> {
  const { rows } = await replays.engine.admin.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and application_name = 'replay-worker' and (not $1 or wait_event_type = 'Lock')`,
    [o.waiting],
  )
  return rows[0]?.n ?? 0
}

/** Of one subscription: deliveries by the number of epochs that somebody asked for. */
async function epochsOf(subscriptionId: string): Promise<Record<string, number>> {
  const { rows } = await replays.engine.admin.query<{ asked: number; n: number }>(
    `select asked, count(*)::int as n from (
       select d.delivery_id, count(g.requested_by)::int as asked from delivery.deliveries d
         join delivery.delivery_log g using (event_day, delivery_id, workspace_id)
        where d.subscription_id = $1 group by 1) x group by 1`,
    [subscriptionId],
  )
  return Object.fromEntries(rows.map(({ asked, n }) => [asked, n]))
}

test('a worker killed in the middle of a batch has opened nothing, and another one begins the batch again', async () => {
  const { call, withDead } = replays.newWorkspace()
  const id = await withDead(20)
  const asked = await call('POST', `/v1/webhooks/${id}/replays`, period())
  const read = async () => (await call('GET', `/v1/replays/${asked.body.id}`)).body
  const blocker = await replays.engine.admin.connect()
  try {
    await blocker.query('begin')
    await blocker.query('select from delivery.lanes where subscription_id = $1 for update', [id])
    const child = startWorker()
    await until('the worker waits for the lane', async () => (await backends({ waiting: true })) === 1)
    await kill(child)
    await blocker.query('commit')
  } finally {
    blocker.release()
  }
  await until('its session has ended', async () => (await backends({ waiting: false })) === 0)
  expect(await read()).toMatchObject({ status: 'queued', opened: 0, version: 1 })
  expect(await epochsOf(id)).toEqual({ 0: 20 })
  startWorker()
  const ended = await until('the replay ends', async () => {
    const body = await read()
    return body.status === 'completed' && body
  })
  expect(ended).toMatchObject({ matched: 20, opened: 20, skipped: 0 })
  expect(await epochsOf(id)).toEqual({ 1: 20 })
})

test('I4: with three workers, one of them killed again and again, each delivery gets one new epoch and each missing event one delivery', async () => {
  const { call, publish, withDead } = replays.newWorkspace()
  await publish({ count: 500 }) // before the subscription existed
  const id = await withDead(750)
  const asked = await call('POST', `/v1/webhooks/${id}/replays`, { ...period(), rate: 1_000 })
  expect(asked.body).toMatchObject({ matched: 1_250 })
  const workers = [startWorker(), startWorker(), startWorker()]
  let [kills, openedBefore] = [0, -1]
  const ended = await until('the replay ends', async () => {
    const { body } = await call('GET', `/v1/replays/${asked.body.id}`)
    if (body.status === 'completed') return body
    // So that faults hit a working system: after each one it comes further.
    if (body.opened > openedBefore) {
      openedBefore = body.opened
      await kill(workers.shift() as ChildProcess)
      workers.push(startWorker())
      kills += 1
    }
    return undefined
  })
  expect(kills).toBeGreaterThan(2)
  expect(ended).toMatchObject({ matched: 1_250, opened: 1_250, skipped: 0 })
  expect(await epochsOf(id)).toEqual({ 1: 1_250 })
  const kept = await replays.engine.admin.query(
    'select count(*)::int as n from delivery.replay_epochs where replay_id = $1',
    [asked.body.id],
  )
  expect(kept.rows).toEqual([{ n: 1_250 }])
  expect(await replays.differences()).toEqual([])
})
