// A worker that is killed amid a firing, by `kill -9`, before and behind its commit: the rule acts once for the event, wholly or not yet. Of a
// firing that goes over many turns, amid one of them; and who else gets on between two of them (decision 99).
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type Invoicing, invoicing } from '../invoices/invoices.fixture.ts'
import { type AutomationFixture, type Row, recordOfEvent, startAutomation } from './automation.fixture.ts'

let fixture: AutomationFixture
let inv: Invoicing
let child: ChildProcess | null = null
beforeAll(async () => {
  fixture = await startAutomation()
  inv = invoicing(fixture)
  await fixture.setKey(['campaigns:write', 'integrations:write', 'invoices:write'])
})
afterAll(async () => {
  child?.kill('SIGKILL')
  await inv?.stop()
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
    // On a busy machine it is held for longer than a session may be silent.
    await client.query('set local idle_in_transaction_session_timeout = 0')
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

describe('a closed month of many brands', () => {
  /** More than two turns bill. */
  const brands = 120
  const months = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06', '2026-07']
  beforeAll(async () => {
    const put = await inv.brand('b0')
    await put(months.map((month) => `${month}-05,c,EUR,1,10.00,0\n`).join(''))
    const copies = (table: string, over: string) =>
      fixture.adminPool.query(
        `insert into api.${table} select c.* from api.${table} b, generate_series(1, $1::integer) n,
           jsonb_populate_record(b, jsonb_build_object(${over})) c where b.${table === 'brands' ? 'slug' : 'brand_slug'} = 'b0'`,
        [brands - 1],
      )
    await copies('brands', "'slug', 'b' || n")
    await copies('integrations', "'id', 'int_x' || n, 'brand_slug', 'b' || n")
    const rule = await fixture.createRule(bills())
    await inv.settle()
    await copies('stats_rollups', "'integration_id', 'int_x' || n, 'brand_slug', 'b' || n")
    await fixture.call('DELETE', `/v1/automation-rules/${rule}`)
  })

  const bills = () => ({
    trigger: { type: 'event', event_type: 'stats.monthly_closed' },
    subject_type: 'workspace',
    conditions: [],
    min_sample: {},
    actions: [{ type: 'generate_invoices' }],
  })
  const periodOf = (month: string) => ({ from: `${month}-01`, to: `${month}-28` })
  /** A rule that has heard that these months were closed. */
  async function ruleFor(...closed: string[]): Promise<string> {
    const rule = await fixture.createRule(bills())
    const records = closed.map((month) => {
      const data = { month, time_zone: 'UTC', days: 1, revision_max: 1 }
      return recordOfEvent(fixture.workspaces.a, 'stats.monthly_closed', data)
    })
    await fixture.consumeRecords(records)
    return rule
  }
  /** Brands and numbers of the month's invoices, by number. */
  async function billed(month: string): Promise<[string, number][]> {
    const { rows } = await fixture.adminPool.query<{ brand: string; number: number }>(
      `select brand_slug as brand, right(number, 6)::integer as number from api.invoices
       where state->'fields'->'period'->>'from' = $1 and status = 'generated' order by 2`,
      [`${month}-01`],
    )
    return rows.map(({ brand, number }) => [brand, number])
  }
  /** Each brand has one, and no number is left out. */
  async function expectAll(month: string): Promise<void> {
    const all = await billed(month)
    expect(new Set(all.map(([brand]) => brand)).size).toBe(brands)
    const [[, first] = ['', 0]] = all
    expect(all.map(([, number]) => number)).toEqual(Array.from({ length: brands }, (_, at) => first + at))
  }
  const outcomes = async (rule: string) =>
    (await fixture.firingsOf(rule)).map(({ status, actions }) => [status, (actions as Row[])[0]?.error_code])

  test('regression: who generates an invoice meanwhile takes the next number, and other rules act; the firing says once what was made of all', async () => {
    const rule = await ruleFor('2026-01')
    const { id: loud } = await fixture.campaign('loud')
    const other = await fixture.createRule({
      trigger: { type: 'event', event_type: 'campaign.paused' },
      conditions: [],
      min_sample: {},
      actions: [{ type: 'notify_webhook' }],
    })
    await fixture.call('POST', `/v1/campaigns/${loud}/pause`)
    await fixture.hear()
    await fixture.automate(fixture.workerPool, 1)
    const begun = (await billed('2026-01')).length
    expect([begun > 0, begun < brands, await outcomes(rule)]).toEqual([true, true, []])
    const own = await inv.draftOf('b0', periodOf('2026-02'))
    expect((await inv.act(own, 'generate')).body.number).toBe(`2026-${String(begun + 1).padStart(6, '0')}`)
    await fixture.automate(fixture.workerPool, 1)
    expect([await outcomes(other), await outcomes(rule)]).toEqual([[['succeeded', null]], []])
    await fixture.automate()
    const all = await billed('2026-01')
    expect(new Set(all.map(([brand]) => brand)).size).toBe(brands)
    expect(all.map(([, number]) => number)).toEqual(
      Array.from({ length: brands }, (_, at) => (at < begun ? at + 1 : at + 2)),
    )
    expect([await outcomes(rule), await fixture.told('automation.fired', rule)]).toMatchObject([
      [['succeeded', null]],
      [{ status: 'succeeded' }],
    ])
    expect((await inv.act(own, 'void')).status).toBe(200)
  })

  test.each([
    ['amid its second turn', 'invoice_numbers', '2026-02', 1],
    ['behind the commit of its last turn, before that took effect,', 'automation_firings', '2026-03', 0],
  ])('F01: a worker that is killed %s has billed each brand once in the end', async (_title, table, month, left) => {
    const rule = await ruleFor(month)
    await fixture.automate(fixture.workerPool, 1)
    const begun = (await billed(month)).length
    expect(begun).toBeGreaterThan(0)
    await whileHeld(`lock table api.${table} in share row exclusive mode`, [], async () => {
      const worker = startWorker()
      await until('the worker is held', async () => (await connections(true)) > 0)
      await kill(worker)
    })
    await until('the killed worker is gone', async () => (await connections(false)) === 0)
    if (left > 0) expect(await billed(month)).toHaveLength(begun)
    expect([(await outcomes(rule)).length, (await evaluations(rule)).length]).toEqual([1 - left, left])
    const worker = startWorker()
    await until('nothing waits', async () => (await evaluations(rule)).length === 0)
    await kill(worker)
    await expectAll(month)
    expect(await outcomes(rule)).toEqual([['succeeded', null]])
    expect(await fixture.told('automation.fired', rule)).toHaveLength(1)
  })

  test('regression: months that closed together are billed one behind the other, so that no brand is billed the later one first', async () => {
    const rule = await ruleFor('2026-05', '2026-06')
    await fixture.automate(fixture.workerPool, 2)
    expect([(await billed('2026-05')).length > 0, await billed('2026-06')]).toEqual([true, []])
    await fixture.automate()
    await expectAll('2026-05')
    await expectAll('2026-06')
    expect(await outcomes(rule)).toEqual([
      ['succeeded', null],
      ['succeeded', null],
    ])
  })

  const loses = (scopes: string[]) => fixture.setKey(['campaigns:write', 'integrations:write', ...scopes])
  test.each([
    ['that is disabled', '2026-04', 'rule_changed', 'user'],
    ['whose maker loses the right', '2026-07', 'authorization_revoked', 'authorization_revoked'],
  ])('a rule %s meanwhile bills no more; its firing says that a part was done', async (_, month, code, reason) => {
    const rule = await ruleFor(month)
    await fixture.automate(fixture.workerPool, 1)
    const begun = (await billed(month)).length
    if (reason === 'user') await fixture.call('POST', `/v1/automation-rules/${rule}/disable`)
    else await loses([])
    await fixture.automate()
    await loses(['invoices:write'])
    expect([await billed(month), await outcomes(rule)]).toMatchObject([{ length: begun }, [['partially_failed', code]]])
    expect(await fixture.ruleOf(rule)).toMatchObject({ enabled: false, disabled_reason: reason })
    expect(await evaluations(rule)).toEqual([])
  })
})
