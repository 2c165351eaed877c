// A worker that is killed amid a firing, by `kill -9`, before and behind its commit: the rule acts once for the event, wholly or not yet.
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { type AutomationFixture, startAutomation } from './automation.fixture.ts'

let fixture: AutomationFixture
let child: ChildProcess | null = null
beforeAll(async () => {
  fixture = await startAutomation()
})
afterAll(async () => {
  child?.kill('SIGKILL')
  await fixture?.stop()
})
beforeEach(() => fixture.reset())

function startWorker(): ChildProcess {
  const file = fileURLToPath(new URL('./automation-worker.fixture.ts', import.meta.url))
  child = spawn(process.execPath, [file, fixture.workerUrl], { stdio: ['ignore', 'inherit', 'inherit'] })
  return child
}

async function kill(worker: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  if (worker.exitCode === null && worker.kill('SIGKILL')) await ended
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`)
    await sleep(10)
  }
}

/** Connections of the worker, those that wait for a lock only if asked for. */
async function connections(waiting: boolean): Promise<number> {
  const { rows } = await fixture.adminPool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database()
       and application_name = 'automation-worker' and (wait_event_type = 'Lock' or not $1)`,
    [waiting],
  )
  return rows[0]?.n ?? 0
}

/** Runs `fn` while whoever meets what this statement wrote or locked waits. */
async function whileHeld(statement: string, values: unknown[], fn: () => Promise<void>): Promise<void> {
  const client = await fixture.adminPool.connect()
  try {
    await client.query('begin')
    await client.query(statement, values)
    await fn()
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const lockCampaign =
  'select 1 from api.campaigns where workspace_id = $1 and $2::text is not null and $3::text is not null for update'
const storeFiring = `insert into api.automation_firings
    (workspace_id, id, version, status, rule_id, subject_id, evaluation_key, state, created, updated)
  values ($1, 'fir_held', 1, 'succeeded', $2, '', $3, '{}', now(), now())`

const evaluations = async (rule: string) => {
  const { rows } = await fixture.adminPool.query<{ key: string }>(
    'select evaluation_key as key from api.automation_work where rule_id = $1',
    [rule],
  )
  return rows.map(({ key }) => key)
}

test.each<[string, string, string, number]>([
  ['amid its work has done nothing, and the next one acts once', lockCampaign, 'paused', 1],
  // What the database has of a transaction with its commit takes place without who sent it.
  [
    'behind its commit, before that took effect, has done all of it, and the next one nothing',
    storeFiring,
    'active',
    0,
  ],
])('F01: a worker that is killed %s', async (_title, statement, status, waiting) => {
  const { id: loud } = await fixture.campaign('loud')
  const rule = await fixture.createRule({
    trigger: { type: 'event', event_type: 'campaign.paused' },
    conditions: [],
    min_sample: {},
    actions: [{ type: 'resume_campaign' }],
  })
  await fixture.call('POST', `/v1/campaigns/${loud}/pause`)
  await fixture.hear()
  const [key = ''] = await evaluations(rule)
  await whileHeld(statement, [fixture.workspaces.a, rule, key], async () => {
    const worker = startWorker()
    await until('the worker is held', async () => (await connections(true)) > 0)
    await kill(worker)
  })
  await until('the killed worker is gone', async () => (await connections(false)) === 0)
  expect([(await fixture.campaign('loud')).status, (await fixture.firingsOf(rule)).length]).toEqual([
    status,
    1 - waiting,
  ])
  expect(await evaluations(rule)).toHaveLength(waiting)
  // Killed once more when all is done, and heard again: what fired is known.
  for (let nth = 0; nth < 2; nth += 1) {
    const worker = startWorker()
    await until('nothing waits', async () => (await evaluations(rule)).length === 0)
    await kill(worker)
    await fixture.hear()
  }
  await fixture.automate()
  expect((await fixture.firingsOf(rule)).map((one) => one.status)).toEqual(['succeeded'])
  expect(await fixture.told('automation.fired', rule)).toHaveLength(1)
  expect(await fixture.told('campaign.resumed', rule)).toHaveLength(1)
})
