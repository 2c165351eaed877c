/** What a person meets at the terminal: starts, second starts, starts after a crash, and starts that cannot be. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { startFakeReceiver } from '@wds/fake-receiver/fake-receiver'
import { isAlive } from '@wds/local-infra/process-liveness'
import { clientOf, uploadStats } from '../harness/client.ts'
import {
  type Addresses,
  eventually,
  exitOf,
  launch,
  makePlace,
  type Place,
  reasons,
  type Standalone,
  startAndFail,
  startStandalone,
} from '../harness/standalone.ts'

let place: Place
let running: Standalone | null = null
/** What a start ends with. */
let starter: ChildProcess | null = null
/** What the first start printed that came to its end. */
let first: Addresses
/** What the sample held then. */
let sample: Awaited<ReturnType<typeof sampleOf>>

beforeAll(async () => {
  place = await makePlace({ WDS_SAMPLE_DATA: 'full' })
  await startAndKill(place, 'an OAuth app to try')
  running = await startStandalone(place)
  first = running.at
  sample = await sampleOf(first)
  await running.stop()
  place.save()
})
afterAll(() => place.remove())
// Most tests need data of any kind; one that needs those of the first start, behind another that changed them, restores them.
afterEach(async () => {
  starter?.kill('SIGKILL')
  await running?.stop()
  running = null
})

/** A start that is killed by -9 once it says that it does this. */
async function startAndKill(where: Place, line: string): Promise<void> {
  const child = launch(where, ['--json'])
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += String(chunk)
  })
  await eventually(`it says '${line}'`, async () => said.includes(line))
  child.kill('SIGKILL')
  await exitOf(child)
}

/** What the sample data hold, by what people see. */
async function sampleOf(at: Addresses) {
  const client = clientOf(at)
  const paths = ['/v1/webhooks', '/v1/integrations', '/v1/dead-letters/causes', '/v1/invoices', '/v1/payouts']
  const [webhooks, integrations, causes, invoices, payouts] = await Promise.all(
    paths.map(async (path) => (await client(path)).body.data),
  )
  type Row = Record<string, string>
  type Invoice = { status: string; number: string | null; amount_paid: number }
  return {
    webhooks: webhooks.map(({ description, status, disabled_reason: why }: Row) => [description, status, why]).sort(),
    integrations: integrations.map(({ name, status }: Row) => [name, status]).sort(),
    causes: causes.map(({ reason, error_code: code, status_class: of }: Row) => [reason, code, of]).sort(),
    payouts: payouts.map(({ status, amount }: Row) => [status, Number(amount) > 0]),
    invoices: invoices.map(({ status, number, amount_paid }: Invoice) => [status, number !== null, amount_paid]).sort(),
  }
}

function postmasterOf({ dataDirectory }: Place): number {
  return Number(readFileSync(join(dataDirectory, 'pg/postmaster.pid'), 'utf8').split('\n', 1)[0])
}

test('a first start that was killed half way is gone on with: everything is there, and once', () => {
  expect(sample.webhooks).toEqual([
    ['Bookkeeping', 'enabled', null],
    ['Data warehouse', 'enabled', null],
    ['Former CRM', 'disabled', 'gone'],
  ])
  expect(sample.integrations).toEqual([
    ['Baltic Sports', 'broken'],
    ['Harbour Affiliates', 'active'],
    ['Lumen Trading', 'active'],
    ['Partner traffic', 'active'],
    ['Sample demo', 'active'],
    ['Sample upload', 'pending'],
  ])
  expect(sample.invoices).toEqual([
    ['draft', false, 0],
    ['generated', true, 0],
    ['sent', true, 65_000],
  ])
  expect(sample.payouts).toEqual([['paid', true]])
  expect(sample.causes).toContainEqual(['attempts_exhausted', 'http_status', '5xx'])
  expect(sample.causes).toContainEqual(['subscription_disabled', 'http_status', '4xx'])
})

test('Ctrl-C stops all of it with exit code 0, waits for no receiver that hangs and costs its deliveries no attempt; the second start has the same key and data', async () => {
  // Longer than a stop may take: only what is cut off lets the service end in order.
  const patient = { ...place, env: { ...place.env, WDS_DELIVERY_DEADLINE: '60s', WDS_DELIVERY_LEASE: '90s' } }
  running = await startStandalone(patient)
  expect(running.at).toEqual(first)
  expect(await sampleOf(first)).toEqual(sample)
  const client = clientOf(first)
  const { body } = await client(`/v1/integrations/${first.integration_id}`)
  expect(body).toMatchObject({ id: first.integration_id, provider: 'csv_upload' })
  for (const name of ['sample.json', 'operator.json', 'encryption-key', 'database-passwords.json']) {
    expect([name, statSync(join(place.dataDirectory, name)).mode & 0o777]).toEqual([name, 0o600])
  }
  const hanging = await startFakeReceiver({ mode: 'hang' })
  try {
    const json = { url: `${hanging.url}/hooks`, events: ['sync.completed'] }
    const webhook = await client('/v1/webhooks', { json })
    await uploadStats(client, first.integration_id, 'date,clicks\n2026-11-01,1\n')
    // The sample's own sync may end meanwhile, and is told as well.
    const calls = () => hanging.received.filter(({ body }) => String(body).includes(first.integration_id))
    await eventually('the receiver is called', async () => calls().length === 1)
    expect(await running.stop()).toBe(0)
    await expect(fetch(`${first.base_url}/healthz`)).rejects.toThrow()
    hanging.setMode('ok')
    running = await startStandalone(patient)
    expect(running.at).toEqual(first)
    const delivery = await eventually('it is delivered', async () => {
      const { body } = await client(`/v1/webhooks/${webhook.body.id}/deliveries`)
      const eventId = calls()[0]?.headers['webhook-id']
      return body.data.find((one: Record<string, string>) => one.event_id === eventId && one.status === 'delivered')
    })
    expect(delivery).toMatchObject({ attempt: 1, attempts_total: 1, last_status: 200 })
    const [once, again] = calls()
    expect(again?.headers['webhook-id']).toBe(once?.headers['webhook-id'])
    expect(String(again?.body)).toBe(String(once?.body))
    expect(await running.stop()).toBe(0)
  } finally {
    await hanging.close()
  }
})

test('after kill -9 of the supervisor the children end within seconds and the next start works; --fresh ends what was left running and begins anew, also on data that Postgres refuses', async () => {
  running = await startStandalone(place)
  await running.kill()
  await eventually('the API is gone', async () =>
    fetch(`${first.base_url}/healthz`).then(
      () => false,
      () => true,
    ),
  )
  running = await startStandalone(place)
  expect(running.at).toEqual(first)

  const pid = postmasterOf(place)
  await running.kill()
  expect(isAlive(pid)).toBe(true)
  const small = { ...place, env: { ...place.env, WDS_SAMPLE_DATA: 'small' } }
  running = await startStandalone(small, ['--fresh'])
  const second = running.at
  expect(isAlive(pid)).toBe(false)
  expect(second.workspace_id).not.toBe(first.workspace_id)
  expect(second.api_key).not.toBe(first.api_key)

  await running.stop()
  running = null
  writeFileSync(join(place.dataDirectory, 'pg/PG_VERSION'), '9\n')
  rmSync(join(place.dataDirectory, 'pg/global'), { recursive: true })
  expect((await startAndFail(place)).code).not.toBe(0)
  running = await startStandalone(small, ['--fresh'])
  expect(running.at.workspace_id).not.toBe(second.workspace_id)
})

test('a port that is taken is one clear sentence, and nothing is left running', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(Number(place.env.WDS_PORT), '127.0.0.1', resolve))
  const { code, stderr } = await startAndFail(place)
  taken.close()
  expect(code).not.toBe(0)
  expect(reasons(stderr)).toEqual([expect.stringContaining(`port ${place.env.WDS_PORT} is taken`)])
})

test('a data folder that cannot be written is one clear sentence', async () => {
  const file = join(place.dataDirectory, 'a-file')
  writeFileSync(file, '')
  const { code, stderr } = await startAndFail({ ...place, env: { ...place.env, WDS_DATA_DIR: file } })
  expect(code).not.toBe(0)
  expect(reasons(stderr)).toEqual([expect.stringContaining('cannot be written')])
})

test('regression: a data folder where the system makes none is refused at once', async () => {
  const { code, stderr } = await startAndFail({ ...place, env: { ...place.env, WDS_DATA_DIR: '/proc/foo' } })
  expect([code, reasons(stderr)]).toEqual([1, [expect.stringContaining('/proc/foo cannot be written')]])
})

test('regression: wrong words are exit code 2 with the usage', async () => {
  const { code, stderr } = await startAndFail(place, ['--frsh'])
  expect([code, stderr]).toEqual([2, expect.stringMatching(/'--frsh'[\s\S]*usage: npm start/)])
})

test('wrong settings are all named at once, without their values', async () => {
  const env = { ...place.env, WDS_PORT: 'banana', WDS_LOG_PARTITIONS: '-7' }
  const { code, stderr } = await startAndFail({ ...place, env })
  expect(code).not.toBe(0)
  expect(stderr).toContain('WDS_PORT')
  expect(stderr).toContain('WDS_LOG_PARTITIONS')
  expect(stderr).not.toContain('banana')
})

test('a Postgres that does not start is one clear sentence, and nothing is left running', async () => {
  writeFileSync(join(place.dataDirectory, 'pg', 'PG_VERSION'), '9\n')
  const { code, stderr } = await startAndFail(place)
  expect(code).not.toBe(0)
  expect(reasons(stderr)).toHaveLength(1)
})

test('regression: a second supervisor is refused with the process id of the first, which goes on when Postgres is killed by -9 and ends with whoever started it', async () => {
  place.restore()
  starter = spawn('sleep', ['600'])
  running = await startStandalone({ ...place, env: { ...place.env, WDS_BOOTSTRAP_PID: String(starter.pid) } })
  const serves = async () => (await clientOf(first)('/v1/workspace')).status === 200
  const other = await makePlace()
  const { code, stderr } = await startAndFail({ ...other, env: { ...other.env, WDS_DATA_DIR: place.dataDirectory } })
  other.remove()
  expect(code).not.toBe(0)
  expect(stderr).toMatch(new RegExp(`already running .*process ${running.pid}`))
  expect(await serves()).toBe(true)

  const killed = postmasterOf(place)
  process.kill(killed, 'SIGKILL')
  await eventually('Postgres is another process', async () => !isAlive(killed))
  await eventually('the API serves again', serves)

  const pids = [running.pid, postmasterOf(place)]
  starter.kill('SIGKILL')
  await eventually('supervisor and Postgres have ended', async () => !pids.some(isAlive))
})
