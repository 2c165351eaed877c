/**
 * F12: the wall clock of a service jumps or drifts, the database's does not. No attempt comes early, no token opens longer or shorter for it,
 * what is signed and stored has the true time, and the service says so.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createKafkaLog } from '@wds/event-log/kafka-log'
import { type FakeReceiver, startFakeReceiver } from '@wds/fake-receiver/fake-receiver'
import { faketimeEnv, findFaketime } from '@wds/local-infra/faketime'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import { type ServiceName, serviceNames } from '@wds/provision/provision'
import { openTokenMaker } from '../../access/credentials.ts'
import { openOAuthClient } from '../../harness/oauth-client.ts'
import { whenKeyIsKnown } from '../../harness/stack.ts'
import { eventually } from '../../harness/standalone.ts'
import { breachesOf } from '../checkers/checker.ts'
import { type Access, tokenBreachesOf } from '../checkers/token-checker.ts'
import { report, type Write } from '../rig/load.ts'
import { partitions, type Rig, startRig } from '../rig/rig.ts'

/** What is added to the wall clock of each service, in seconds, and how fast it runs. */
type Clocks = Partial<Record<ServiceName, string>>
const [right, ahead, behind, tomorrow, drifting] = ['+0 x1', '+3600 x1', '-3600 x1', '+86400 x1', '+0 x2'] as const
const alone = serviceNames.flatMap((service): [string, Clocks][] =>
  [ahead, behind, tomorrow, drifting].map((clock) => [`${service} ${clock}`, { [service]: clock }]),
)
// All of them at once, each otherwise than its neighbours.
const together: [string, Clocks][] = [
  ['jumps apart', { auth: ahead, api: behind, catalog: tomorrow, delivery: behind }],
  ['jumps and drifts', { auth: behind, api: tomorrow, catalog: drifting, delivery: ahead }],
]
const retryMs = 3_000
const offMaxMs = 5_000

const suite = (await whyNoOwnBroker()) === null ? describe : describe.skip

suite('clocks that are wrong', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wds clocks '))
  const fileOf = (service: ServiceName) => join(folder, service)
  const setClocks = (clocks: Clocks) => {
    for (const service of serviceNames) writeFileSync(fileOf(service), `${clocks[service] ?? right}\n`)
  }
  let rig: Rig
  let failing: FakeReceiver
  let log: ReturnType<typeof createKafkaLog>
  /** Of this harness: one with an hour to live, one that is over since longer than clocks may be apart. */
  const tokens = { good: '', over: '' }
  const expires = { good: 0, over: 0 }
  const accesses: Access[] = []
  const writes: Write[] = []

  beforeAll(async () => {
    const library = await findFaketime((line) => void process.stderr.write(`${line}\n`))
    setClocks({})
    const env = (service: ServiceName) => faketimeEnv(library, fileOf(service))
    const delays = { WDS_DELIVERY_DELAYS: Array(5).fill(`${retryMs}ms`).join(',') }
    rig = await startRig({
      envOf: {
        auth: env('auth'),
        api: env('api'),
        catalog: env('catalog'),
        delivery: { ...env('delivery'), ...delays, WDS_DELIVERY_LEASE: '10s', WDS_DELIVERY_DEADLINE: '2s' },
      },
    })
    failing = await startFakeReceiver()
    const hook = { url: `${failing.url}/hook`, events: ['integration.created'] }
    expect((await rig.client('/v1/webhooks', { json: hook })).status).toBe(201)
    log = createKafkaLog({ brokers: [rig.stack.kafka?.brokers as string], clientId: 'test', partitions })
    const maker = await openTokenMaker(log, { issuer: rig.url, audience: rig.url })
    const { workspaceId } = rig
    tokens.good = (await maker.makeToken({ workspaceId })).token
    tokens.over = (await maker.makeToken({ workspaceId, secondsLeft: -40 })).token
    Object.assign(expires, { good: Date.now() + 3_599_000, over: Date.now() - 39_000 })
    for (const path of ['/v1/workspace', '/v1/integrations', '/v1/webhooks'])
      await whenKeyIsKnown(`${rig.url}${path}`, tokens.good)
  })
  afterAll(async () => {
    await log?.close()
    await rig?.stop()
    await failing?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Every service that knows its callers is asked with both tokens, again and again, until `during` is over. */
  async function askWhile(during: () => Promise<unknown>): Promise<void> {
    let isOver = false
    const asking = (async () => {
      while (!isOver) {
        for (const [name, token] of Object.entries(tokens) as [keyof typeof tokens, string][]) {
          for (const path of ['/v1/workspace', '/v1/integrations', '/v1/webhooks']) {
            const atMs = Date.now()
            const response = await fetch(`${rig.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
            await response.arrayBuffer()
            const isAccepted = response.status === 200
            accesses.push({ token: `${name} at ${path}`, atMs, isAccepted, expiresMs: expires[name] })
          }
        }
        await sleep(200)
      }
    })()
    try {
      await during()
    } finally {
      isOver = true
      await asking
    }
  }

  const said = (service: ServiceName, from: number) => rig.services[service].output().slice(from)
  const readiness = async (service: ServiceName) =>
    (await fetch(`${rig.services[service].managementUrl}/readyz`)).status
  const attemptsOf = (name: string) =>
    failing.received.filter(({ body }) => JSON.parse(body).data.name === name).map((one) => Date.parse(one.receivedAt))

  /** An event whose first attempt fails before the clocks go wrong and whose second one is due while they are. */
  async function failFirst(name: string): Promise<void> {
    failing.setMode('fail')
    const json = { name, provider: 'csv_upload', brand_slug: name.replaceAll(/\W+/g, '-'), currency: 'EUR' }
    expect((await rig.client('/v1/integrations', { json })).status).toBe(201)
    await eventually(`the first attempt of ${name}`, async () => attemptsOf(name).length > 0)
  }

  test.each([...together, ...alone])('F12: %s', async (name, clocks) => {
    const wrong = Object.keys(clocks) as ServiceName[]
    const lengths = Object.fromEntries(serviceNames.map((service) => [service, rig.services[service].output().length]))
    const from = (service: ServiceName) => lengths[service] ?? 0
    const own = await rig.writeWhile(() =>
      askWhile(async () => {
        await failFirst(name)
        setClocks(clocks)
        // Looked at every 10 s.
        for (const service of wrong) {
          await eventually(`${service} says that its clock is wrong`, async () =>
            said(service, from(service)).includes('host clock differs too much'),
          )
        }
        if (wrong.includes('auth')) await eventually('auth is not ready', async () => (await readiness('auth')) === 503)
        for (const service of serviceNames) {
          if (service !== 'auth' || !wrong.includes('auth'))
            expect([service, await readiness(service)]).toEqual([service, 200])
        }
        await eventually('two attempts more', async () => attemptsOf(name).length >= 3)
        failing.setMode('ok')
        await eventually('the last attempt', async () => attemptsOf(name).length >= 4)
        await refusesTokensOfTomorrow(clocks)
        setClocks({})
        for (const service of wrong) {
          await eventually(`${service} says that its clock is right again`, async () =>
            said(service, from(service)).includes('host clock is in sync again'),
          )
        }
        await eventually('auth is ready', async () => (await readiness('auth')) === 200)
      }),
    )
    writes.push(...own)
    expect(own.filter(({ status }) => status !== 200)).toEqual([])
    const times = attemptsOf(name)
    const gaps = times.slice(1).map((at, nth) => at - (times[nth] ?? 0))
    report(`F12 ${name}: ${own.length} writes, ${gaps.join(', ')} ms between attempts that are due after ${retryMs} ms`)
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(retryMs)
  })

  /** A token that an auth of a wrong clock issued is from the future: nobody takes it, but by that clock. */
  async function refusesTokensOfTomorrow({ auth }: Clocks): Promise<void> {
    if (auth !== ahead && auth !== tomorrow) return
    const client = await openOAuthClient(rig.stack, { url: rig.url, host: new URL(rig.url).host })
    const { status, body } = await client.redeem(await client.authorize())
    expect(status).toBe(200)
    for (const path of ['/v1/integrations', '/v1/webhooks']) {
      const headers = { authorization: `Bearer ${body.access_token}` }
      expect((await fetch(`${rig.url}${path}`, { headers })).status).toBe(401)
    }
  }

  test('F12: afterwards nothing is lost, every signature had the true time, known tokens opened and those that were over did not', async () => {
    await rig.drained()
    const [unknown] = await rig.ask<{ n: number }>(
      'delivery',
      `select count(*)::int as n from delivery.delivery_log where kind = 'attempt_unknown'`,
    )
    const history = await rig.history(writes)
    const delaysMs = Array(5).fill(retryMs)
    expect(breachesOf({ ...history, delaysMs, repeatedMax: unknown?.n ?? 0 })).toEqual([])
    // Ids of one stream rise: they have the database's time.
    for (const ids of history.facts.values()) expect(ids).toEqual(ids.toSorted())
    const signed = failing.received.map(({ headers, receivedAt }) => {
      const [, t] = /^t=(\d+),/.exec(String(headers['x-service-signature'])) ?? []
      return Math.abs(Number(t) * 1_000 - Date.parse(receivedAt))
    })
    expect(signed.length).toBeGreaterThan(0)
    expect(Math.max(...signed)).toBeLessThan(offMaxMs)
    const none = { presentations: [], unused: new Map(), replays: [], leftAfterReplays: 0 }
    expect(tokenBreachesOf({ ...none, accesses })).toEqual([])
    const wronglyRefused = accesses.filter(({ token, isAccepted }) => token.startsWith('good') && !isAccepted)
    expect(wronglyRefused).toEqual([])
    const [shortest] = await rig.ask<{ ms: number | null }>(
      'delivery',
      'select min(duration_ms)::int as ms from delivery.delivery_log',
    )
    expect(shortest?.ms).toBeGreaterThanOrEqual(0)
    const negative = serviceNames.flatMap(
      (service) => rig.services[service].output().match(/"(?!off_ms)\w+_(?:ms|seconds)":-\d/g) ?? [],
    )
    expect(negative).toEqual([])
  })
})
