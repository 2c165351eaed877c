/**
 * F20 for one service: its database refuses connections, or takes them and says nothing, while the others go on. The service
 * lives, says 503 with Retry-After, and recovers by itself. WDS_FAULTS=full keeps each database away for a minute,
 * both ways, with the log on Kafka; in short the log is in Postgres, which spares a broker that is not at fault.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import { isFullRun } from '@wds/local-infra/test-size'
import type { ServiceName } from '@wds/provision/provision'
import type { Answer } from '../../harness/client.ts'
import type { FaultProxy } from '../../harness/fault-proxy.ts'
import { eventually } from '../../harness/standalone.ts'
import { breachesOf } from '../checkers/checker.ts'
import { latencies, report, type Write } from '../rig/load.ts'
import { type Rig, startRig } from '../rig/rig.ts'

/** A silent connection is given up after 7 s: the limit of a statement, and 2 s. */
const awayMs = isFullRun() ? { refuses: 60_000, swallows: 60_000 } : { refuses: 3_000, swallows: 8_000 }

/** Slots of delivery: attempts whose outcome is lost when its database goes are repeated. */
const underWayMax = 16

/** Something that a service answers from its database; the catalog answers from memory. */
const reads: Record<ServiceName, string> = {
  api: '/v1/integrations',
  delivery: '/v1/webhooks',
  auth: '/v1/workspace',
  catalog: '/v1/event-types',
}

const suite = !isFullRun() || (await whyNoOwnBroker()) === null ? describe : describe.skip

suite('a database that is away', () => {
  let rig: Rig
  const proxies = {} as Record<ServiceName, FaultProxy>
  const writes: Write[] = []
  let repeatedMax = 0
  beforeAll(async () => {
    rig = await startRig({
      log: isFullRun() ? 'Kafka' : 'Postgres',
      proxies,
      envOf: {
        delivery: { WDS_DELIVERY_SLOTS: String(underWayMax), WDS_DELIVERY_DEADLINE: '2s', WDS_DELIVERY_LEASE: '6s' },
      },
    })
  })
  afterEach(async () => {
    for (const proxy of Object.values(proxies)) await proxy.pass()
  })
  afterAll(() => rig?.stop())

  const ask = (service: ServiceName): Promise<Answer | null> => rig.client(reads[service]).catch(() => null)

  async function expectTheOthersGoOn(away: ServiceName): Promise<void> {
    for (const service of Object.keys(reads) as ServiceName[]) {
      if (service !== away) expect([service, (await ask(service))?.status]).toEqual([service, 200])
    }
  }

  /** Until it answers 503: what is under way may first run into its own limits. */
  async function expectUnavailable(service: ServiceName): Promise<void> {
    const answer = await eventually(`${service} says so`, async () => {
      const found = await ask(service)
      return found?.status === 503 && found
    })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answer.body.code).toMatch(/^(unavailable|query_timeout)$/)
  }

  const ways = ['refuses', 'swallows'] as const
  const services = Object.keys(reads) as ServiceName[]
  // In short each service once, its neighbour the other way.
  const cases = services.flatMap((service, nth) =>
    ways.filter((_, way) => isFullRun() || way !== nth % 2).map((how) => [service, how] as const),
  )

  test.each(cases)('F20: that of %s %s: the others go on, it comes back by itself', async (away, how) => {
    let left = Number.POSITIVE_INFINITY
    let came = Number.POSITIVE_INFINITY
    let own: Write[] = []
    const failed = await rig.failedProbesDuring(async () => {
      own = await rig.writeWhile(async () => {
        await sleep(1_000)
        if (how === 'refuses') await proxies[away].refuse()
        else proxies[away].swallow()
        left = Date.now()
        const over = sleep(awayMs[how])
        if (away !== 'catalog') await expectUnavailable(away)
        else expect((await ask('catalog'))?.status).toBe(200)
        await expectTheOthersGoOn(away)
        await over
        await expectTheOthersGoOn(away)
        came = Date.now()
        await proxies[away].pass()
        await eventually(`${away} answers again`, async () => (await ask(away))?.status === 200)
        await sleep(1_000)
      })
      writes.push(...own)
    })
    const meanwhile = own.filter(({ at, tookMs }) => at > left && at + tookMs < came)
    report(`F20 ${away} ${how}: answers to writes meanwhile: ${latencies(meanwhile)}`)
    expect(failed).toEqual([])
    if (away === 'api') {
      const refused = own.filter(({ status }) => status !== 200)
      expect(refused.length).toBeGreaterThan(0)
      // 5: who calls is not known either, since a busy auth was not in time to say so (auth.md 5.7).
      for (const { status, headers } of refused)
        expect(`${status} ${headers?.get('retry-after')}`).toMatch(/^503 [15]$/)
    } else expect(own.filter(({ status }) => status !== 200)).toEqual([])
    expect(own.at(-1)?.status).toBe(200)

    if (away === 'delivery') repeatedMax += underWayMax
    report(`F20 ${away} ${how}: drained ${(await rig.drained()).toFixed(0)} ms after it answered again`)
    expect(breachesOf({ ...(await rig.history(writes)), repeatedMax })).toEqual([])
  })
})
