/**
 * A process that is short of something: of its event loop (F61), of descriptors (F63), of memory (F62), of connections to its database
 * (F22). It refuses what it cannot do, goes on with the rest, lives, and is as before once it has enough.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from '@jest/globals'
import { isFullRun } from '@wds/local-infra/test-size'
import { serviceNames } from '@wds/provision/provision'
import { uploadStats } from '../../harness/client.ts'
import { eventually } from '../../harness/standalone.ts'
import { canBeMade } from '../rig/can-be-made.ts'
import { type HeldReceiver, startHeldReceiver } from '../rig/held-receiver.ts'
import { latencies, report, writeWhile } from '../rig/load.ts'
import { readAttempts, readFacts, settledDeliveries } from '../rig/read-history.ts'
import { requireWhole } from '../rig/require-whole.ts'
import { type Rig, type RigOptions, startRig } from '../rig/rig.ts'
import { makeTenant } from '../rig/tenant.ts'

let rig: Rig | undefined
afterEach(async () => {
  await rig?.stop()
  rig = undefined
})

const start = async (o: RigOptions): Promise<Rig> => {
  rig = await startRig({ log: 'Postgres', ...o })
  return rig
}

const blockedMs = 2_000

test('F61: the event loop of each service stands still for 2 s, again and again: it is told, leases survive, nothing is sent twice', async () => {
  const blocker = ['--import', new URL('./block-loop.mjs', import.meta.url).href]
  const nodeArgsOf = Object.fromEntries(serviceNames.map((service) => [service, blocker]))
  const of = await start({ nodeArgsOf, metrics: true })
  const rounds = isFullRun() ? 10 : 2
  // An answer that takes a while: whenever a loop is held, leases of attempts are.
  const receiver = await startHeldReceiver(500)
  try {
    const { workspaceId, client, integrations } = await makeTenant(of, 'slow', { integrations: 4 })
    expect((await client('/v1/webhooks', { json: hookTo(receiver) })).status).toBe(201)
    const underWay: number[] = []
    const writes = await of.writeWhile(() =>
      writeWhile(client, {
        integrations,
        paceMs: 200,
        during: async () => {
          for (let round = 0; round < rounds; round += 1) {
            for (const service of serviceNames) {
              await sleep(1_000)
              if (service === 'delivery') underWay.push(receiver.held())
              process.kill(of.services[service].pid, 'SIGUSR2')
              await sleep(blockedMs)
            }
          }
        },
      }),
    )
    expect(underWay.filter((held) => held === 0)).toEqual([])
    expect(writes.filter(({ status }) => status !== 200)).toEqual([])
    const { attempts, facts } = await requireWhole(of, writes)
    expect(attempts.filter(({ isUnknown }) => isUnknown)).toEqual([])
    expect(await of.receiver.count()).toBe([...facts.values()].flat().length)
    await requireOnce(of, workspaceId, [receiver])
    for (const service of serviceNames) {
      const { output, managementUrl } = of.services[service]
      const held = output().split('\n').filter(tellsOfHeldLoop)
      expect([service, held.length >= rounds]).toEqual([service, true])
      const metrics = await (await fetch(`${managementUrl}/metrics`)).text()
      const seconds = Number(/^nodejs_eventloop_delay_max\S* (\S+)/m.exec(metrics)?.[1])
      expect([service, seconds > toldMs / 1_000]).toEqual([service, true])
    }
    report(`F61: answers to writes: ${latencies(writes)}`)
  } finally {
    receiver.close()
  }
})

/** A little less than the loop was held: other holds of a busy machine are shorter. */
const toldMs = 0.9 * blockedMs

function tellsOfHeldLoop(line: string): boolean {
  const [, ms] = /"delay_ms":(\d+).*event loop delayed/.exec(line) ?? []
  return Number(ms) > toldMs
}

const hookTo = ({ url }: HeldReceiver) => ({ url, events: ['integration.updated'], max_in_flight: 64 })

/** Each event of the tenant comes to each of these receivers, which answer all with 200: by one attempt, the first one. Gives how many. */
async function requireOnce(of: Rig, workspaceId: string, receivers: HeldReceiver[]): Promise<number> {
  const facts = [...(await readFacts(of.ask, workspaceId)).values()].flat().sort()
  expect(facts.length).toBeGreaterThan(0)
  for (const { url, arrivals } of receivers) {
    const missing = () => facts.filter((id) => !arrivals.includes(id)).length
    await eventually(`all ${facts.length} at ${url}`, async () => missing() === 0)
  }
  await settledDeliveries(of.ask, workspaceId)
  const attempts = await readAttempts(of.ask, workspaceId)
  expect(attempts.filter(({ number, hasSucceeded }) => !hasSucceeded || number > 1)).toEqual([])
  for (const { url, arrivals } of receivers) expect([url, arrivals.toSorted()]).toEqual([url, facts])
  return facts.length * receivers.length
}

const descriptorsMax = 256

const limitDescriptors = (of: Rig, most: number) => {
  for (const service of serviceNames)
    execFileSync('prlimit', ['--pid', String(of.services[service].pid), `--nofile=${most}:4096`])
}
const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

const hasLimits = canBeMade(process.platform === 'linux', {
  row: 'F63',
  needs: 'Linux, for `prlimit` and the list of descriptors',
})
const onLinux = hasLimits ? test : test.skip

onLinux(
  'F63: 256 descriptors are fewer than attempts want to be under way: no delivery is lost or costs an attempt, and all arrive once there are enough',
  async () => {
    // An address of its own each: requests to one host name share their sockets.
    const hosts = Array.from({ length: 20 }, (_, nth) => `127.0.0.${nth + 2}`)
    const receivers = await Promise.all(hosts.map((host) => startHeldReceiver(3_000, host)))
    try {
      const delivery = { WDS_DELIVERY_SLOTS: '2000', WDS_DELIVERY_DELAYS: Array(6).fill('2s').join(',') }
      const of = await start({ envOf: { delivery } })
      limitDescriptors(of, descriptorsMax)
      const { workspaceId, client, integrations } = await makeTenant(of, 'crowd', { integrations: 4 })
      for (const one of receivers) expect((await client('/v1/webhooks', { json: hookTo(one) })).status).toBe(201)
      let most = 0
      const writes = await of.writeWhile(() =>
        writeWhile(client, {
          integrations,
          paceMs: 200,
          during: async () => {
            const endMs = performance.now() + (isFullRun() ? 60_000 : 20_000)
            while (performance.now() < endMs) {
              most = Math.max(most, descriptorsOf(of.services.delivery.pid))
              await sleep(100)
            }
          },
        }),
      )
      limitDescriptors(of, 4_096)
      for (const one of receivers) one.setHold(0)
      expect(most).toBeGreaterThan(descriptorsMax - 10)
      expect(of.services.delivery.output()).toContain('this machine could not begin attempts')
      await requireWhole(of, writes)
      report(
        `F63: ${most} descriptors; ${await requireOnce(of, workspaceId, receivers)} deliveries, each by one request`,
      )
    } finally {
      for (const one of receivers) one.close()
    }
  },
)

/** Just below the 50 MiB that an upload may have: names of 100 characters of 4 bytes, the longest that there are. */
const lines = 120_000

function largeFile(): string {
  const countries = ['DE', 'SE', 'CA', 'FI', 'NO', 'FR', 'IT', 'ES', 'AT', 'CH']
  const days = 45
  const dayOf = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const lineOf = (nth: number) => {
    const number = String(Math.floor(nth / days / countries.length))
    const campaign = number + '\u{1d54f}'.repeat(100 - number.length)
    return `${dayOf(2 + (nth % days))},${campaign},${countries[Math.floor(nth / days) % countries.length]},1`
  }
  return ['date,campaign,country,clicks', ...Array.from({ length: lines }, (_, nth) => lineOf(nth)), ''].join('\n')
}

test('F62: four uploads of 50 MiB at once to an API with a heap of 256 MiB: it lives, what it accepts is imported whole, the rest is refused', async () => {
  const of = await start({ nodeArgsOf: { api: ['--max-old-space-size=256'] } })
  const csv = largeFile()
  const mebibytes = Buffer.byteLength(csv) / 2 ** 20
  expect([mebibytes > 45, mebibytes < 50]).toEqual([true, true])
  const statuses: number[] = []
  const imported: object[] = []
  const { client, integrations } = await makeTenant(of, 'crowd', { integrations: 4 })
  const writes = await of.writeWhile(async () => {
    const answers = await Promise.all(integrations.map((id) => uploadStats(client, id, csv)))
    statuses.push(...answers.map(({ status }) => status))
    for (const { status, body } of answers) {
      if (status !== 202) continue
      const done = await eventually(
        'the import ends',
        async () => {
          const { body: now } = await client(`/v1/imports/${body.id}`)
          return ['completed', 'failed'].includes(now.status) && now
        },
        900_000,
      )
      imported.push(done)
    }
  })
  expect(statuses.filter((status) => ![202, 413, 429, 503].includes(status))).toEqual([])
  expect(imported.length).toBeGreaterThan(0)
  const whole = { status: 'completed', accepted: lines, rejected: 0 }
  expect(imported).toEqual(imported.map(() => expect.objectContaining(whole)))
  await requireWhole(of, writes)
  const most = mostMemoryOf(of.services.api.pid)
  report(`F62: answers to uploads ${statuses.join(', ')}; to writes meanwhile: ${latencies(writes)}; ${most} of memory`)
})

/** The most that a process ever had, its heap and all beside it. */
function mostMemoryOf(pid: number): string {
  if (process.platform !== 'linux') return 'unknown'
  return /^VmHWM:\s+(.+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 'unknown'
}

const connectionsLeft = 5

test('F22: of the connections of the API to its database five are left: it answers or says 503 with Retry-After, and nobody waits for ever', async () => {
  const of = await start({ ownPostgres: true, writers: 24, paceMs: 100 })
  const takeAll = async (limit: number) => {
    await of.ask('api', `alter role wds_api connection limit ${limit}`)
    await of.ask('api', `alter role wds_api_worker connection limit ${limit}`)
    const sql = `select pg_terminate_backend(pid) from pg_stat_activity where usename in ('wds_api', 'wds_api_worker')`
    if (limit > 0) await of.ask('api', sql)
  }
  const notAlive: string[] = []
  let takenMs = 0
  let backMs = 0
  const writes = await of.writeWhile(async () => {
    await sleep(1_000)
    notAlive.push(
      ...(await of.failedProbesDuring(async () => {
        await takeAll(connectionsLeft)
        takenMs = Date.now()
        await sleep(isFullRun() ? 60_000 : 10_000)
        backMs = Date.now()
        await takeAll(-1)
      })),
    )
    await sleep(2_000)
  })
  expect(notAlive).toEqual([])
  // Also those that were answered only when the connections were back, or never.
  const meanwhile = writes.filter(({ at }) => at > takenMs && at < backMs)
  const refused = meanwhile.filter(({ status }) => status !== 200)
  report(`F22: ${refused.length} of ${meanwhile.length} refused; answers to writes meanwhile: ${latencies(meanwhile)}`)
  expect(refused.length).toBeGreaterThan(0)
  if (isFullRun()) expect(Math.max(...refused.map(({ tookMs }) => tookMs))).toBeLessThan(1_000)
  for (const { status, headers } of refused) expect(`${status} ${headers?.get('retry-after')}`).toMatch(/^503 \d+$/)
  expect(meanwhile.length - refused.length).toBeGreaterThan(of.integrations.length)
  expect(writes.filter(({ at }) => at > backMs + 1_000).filter(({ status }) => status !== 200)).toEqual([])
  await requireWhole(of, writes)
})
