/**
 * F16 and its like: the broker lost records that it had acknowledged. The loss is named in log lines and metrics, nothing
 * behind it is ingested, and the operator's commands `republish` and `read-again` bring back each event exactly once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { KafkaBroker } from '@wds/local-infra/kafka-broker'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import type { ServiceName } from '@wds/provision/provision'
import { eventually } from '../../harness/standalone.ts'
import { breachesOf } from '../checkers/checker.ts'
import type { Write } from '../rig/load.ts'
import { type Rig, startRig } from '../rig/rig.ts'

const lost = 'records are lost, the partition stands still'
const regressed = 'the log gives offsets once more'
const consumers = {
  'delivery.ingest': 'workspace.events',
  'api.automation': 'workspace.events',
  'api.keys': 'auth.events',
  'delivery.keys': 'auth.events',
}

const serviceOf = (consumer: string) => consumer.split('.')[0] as ServiceName

const suite = (await whyNoOwnBroker()) === null ? describe : describe.skip

suite('a broker that lost records', () => {
  let rig: Rig
  let broker: KafkaBroker
  const writes: Write[] = []
  /** What each service had written when the test began: what was said of an earlier loss does not count. */
  const before = new Map<ServiceName, number>()
  beforeAll(async () => {
    rig = await startRig({ metrics: true })
    broker = rig.stack.kafka as KafkaBroker
  })
  beforeEach(() => {
    for (const { service, output } of Object.values(rig.services)) before.set(service, output().length)
  })
  afterAll(() => rig?.stop())

  const said = (service: ServiceName) => rig.services[service].output().slice(before.get(service))

  const write = async (ms = 2_000) => void writes.push(...(await rig.writeWhile(() => sleep(ms))))
  const arrived = async () => new Set((await rig.receiver.arrivals()).map(([, id]) => id)).size

  /** The value of a metric that stands still, by its labels. */
  async function metric(service: ServiceName, name: string, label: string): Promise<number> {
    const response = await fetch(`${rig.services[service].managementUrl}/metrics`)
    const line = (await response.text()).split('\n').find((text) => text.startsWith(`${name}{`) && text.includes(label))
    return Number(line?.split(' ').at(-1) ?? Number.NaN)
  }

  const standingStill = (consumer: keyof typeof consumers) =>
    metric(serviceOf(consumer), 'wds_log_lost_partitions', `"${consumer}"`)

  /** What the service said stands in the error, since the next run may not fail. */
  async function standsStill(consumer: keyof typeof consumers): Promise<void> {
    try {
      await eventually(`${consumer} stands still`, async () => {
        const partitions = await standingStill(consumer)
        // Auth's topic has records in several partitions, the workspace's in one.
        return consumers[consumer] === 'auth.events' ? partitions >= 1 : partitions === 1
      })
    } catch (error) {
      const last = said(serviceOf(consumer)).slice(-4_000)
      throw new Error(`${consumer} does not stand still, its service said: ${last}`, { cause: error })
    }
  }

  async function run(service: ServiceName, ...args: string[]): Promise<string> {
    const { code, output } = await rig.stack.run(service, args)
    expect([code, output]).toEqual([0, expect.any(String)])
    return output
  }

  /** The range in doubt, from each service that announces on the topic. */
  async function republish(topic: string, from: string, ...services: ServiceName[]): Promise<void> {
    const range = ['--topic', topic, '--from', from, '--to', new Date().toISOString()]
    for (const service of services)
      expect(await run(service, 'republish', ...range)).toMatch(/^republished \d+ records/)
  }

  async function expectEachDeliveredOnce(): Promise<void> {
    await rig.drained()
    const breaches = breachesOf({ ...(await rig.history(writes)), repeatedMax: 0 })
    // What comes again stands behind what was written meanwhile.
    expect(breaches.filter((breach) => !breach.startsWith('I13'))).toEqual([])
    expect(writes.every(({ status }) => status === 200)).toBe(true)
  }

  test('F16: it starts empty: consumers stand still and say so; republish and read-again mend it', async () => {
    const from = new Date().toISOString()
    await write()
    await rig.drained()
    const arrivedBefore = await arrived()
    await broker.wipe()
    await broker.start()
    await write()

    for (const [consumer, topic] of Object.entries(consumers) as [keyof typeof consumers, string][]) {
      await standsStill(consumer)
      const line = said(serviceOf(consumer))
        .split('\n')
        .find((text) => text.includes(lost) && text.includes(`"${consumer}"`))
      expect(JSON.parse(line ?? '{}')).toMatchObject({ group: consumer, topic, reason: expect.any(String) })
    }
    // Not skipped: what came after the loss waits behind it.
    expect(await arrived()).toBe(arrivedBefore)
    const probes = Object.values(rig.services).flatMap(({ managementUrl }) =>
      ['livez', 'readyz'].map(async (path) => (await fetch(`${managementUrl}/${path}`)).status),
    )
    expect(new Set(await Promise.all(probes))).toEqual(new Set([200]))

    await republish('auth.events', '2020-01-01T00:00:00Z', 'auth')
    await republish('workspace.events', from, 'api', 'delivery')
    await republish('catalog.event-types', from, 'catalog')
    for (const [consumer, topic] of Object.entries(consumers)) {
      await run(serviceOf(consumer), 'read-again', '--consumer', consumer, '--topic', topic)
    }
    await run('auth', 'read-again', '--consumer', 'auth.keys', '--topic', 'auth.events')
    await expectEachDeliveredOnce()
    for (const consumer of Object.keys(consumers) as (keyof typeof consumers)[])
      await eventually(`${consumer} goes on`, async () => (await standingStill(consumer)) === 0)
    // A key made now reaches every service.
    const { apiKey } = await rig.stack.makeWorkspace('later')
    for (const service of ['api', 'delivery'] as const) {
      const path = service === 'api' ? '/v1/integrations' : '/v1/webhooks'
      await eventually(`${service} knows the key`, async () => {
        const response = await fetch(`${rig.services[service].url}${path}`, {
          headers: { authorization: `Bearer ${apiKey}` },
        })
        return response.status === 200
      })
    }
  })

  test('F16: it loses its newest records, which were delivered already: nothing is skipped, nothing doubled', async () => {
    await write()
    await rig.drained()
    const forget = await broker.remember()
    const from = new Date().toISOString()
    await write()
    await rig.drained()
    await forget()
    await write()
    await standsStill('delivery.ingest')
    expect(said('delivery')).toContain(lost)
    await republish('workspace.events', from, 'api', 'delivery')
    await run('delivery', 'read-again', '--consumer', 'delivery.ingest', '--topic', 'workspace.events')
    await expectEachDeliveredOnce()
    await eventually('ingest goes on', async () => (await standingStill('delivery.ingest')) === 0)
  })

  test('F16: it loses records that nobody had read: their producer says so, and republish brings them', async () => {
    await write()
    await rig.drained()
    expect(await rig.services.delivery.stop()).toBe(0)
    const forget = await broker.remember()
    const from = new Date().toISOString()
    await write()
    const regressions = () => metric('api', 'wds_log_regressions_total', '"workspace.events"')
    const regressionsBefore = (await regressions()) || 0
    const waiting = () => rig.ask<{ n: number }>('api', 'select count(*)::int as n from api.outbox')
    await eventually('everything is published', async () => (await waiting())[0]?.n === 0)
    await forget()
    await write()
    await eventually('the producer says so', async () => said('api').includes(regressed))
    expect(await regressions()).toBeGreaterThan(regressionsBefore)

    await rig.start('delivery')
    await republish('workspace.events', from, 'api')
    await expectEachDeliveredOnce()
    expect(await standingStill('delivery.ingest')).toBe(0)
  })
})
