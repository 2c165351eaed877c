/**
 * F10 and F11: the broker is away, refuses, falls silent, or hears and cannot be heard, while API and auth are written to. Every
 * write is answered without it, waits in the outbox, and goes out in order once it is back. WDS_FAULTS=full keeps it away for 5 minutes, and alone
 * restarts it again and again.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { topics } from '@wds/contracts/topics'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import type { KafkaBroker } from '@wds/local-infra/kafka-broker'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import { isFullRun } from '@wds/local-infra/test-size'
import { type OAuthClient, openOAuthClient } from '../../harness/oauth-client.ts'
import { whenKeyIsKnown } from '../../harness/stack.ts'
import { eventually } from '../../harness/standalone.ts'
import { breachesOf } from '../checkers/checker.ts'
import { latencies, report, type Write } from '../rig/load.ts'
import { readTopic } from '../rig/read-log.ts'
import { requireEndInOrder } from '../rig/require-whole.ts'
import { partitions, type Rig, startRig } from '../rig/rig.ts'
import { type AuthWrites, authLosses, writeToAuthWhile } from './auth-writes.ts'

// In short, still longer than an answer of the broker is waited for (5 s): what hangs has been given up once.
const awayMs = isFullRun() ? 300_000 : 10_000
const silentMs = isFullRun() ? 300_000 : 8_000
const restarts = 5
const downMs = 5_000

const suite = (await whyNoOwnBroker()) === null ? describe : describe.skip

suite('a broker that is away', () => {
  let rig: Rig
  let broker: KafkaBroker
  let oauth: OAuthClient
  const writes: Write[] = []
  const toAuth: AuthWrites[] = []
  beforeAll(async () => {
    // 15,000 events in 5 minutes (F11).
    rig = await startRig(
      withoutUndefined({
        brokerProxy: true,
        writers: isFullRun() ? 10 : undefined,
        paceMs: isFullRun() ? 200 : undefined,
      }),
    )
    broker = rig.stack.kafka as KafkaBroker
    oauth = await openOAuthClient(rig.stack, { url: rig.url, host: new URL(rig.url).host })
  })
  afterAll(() => rig?.stop())

  const expectNothingLost = async () => {
    expect(breachesOf({ ...(await rig.history(writes)), repeatedMax: 0 })).toEqual([])
    const told = await readTopic({ from: { brokers: broker.brokers }, topic: topics.authEvents, partitions })
    expect(authLosses(toAuth, told)).toEqual([])
  }

  /** A grant to be revoked while the broker is away. */
  async function newGrant() {
    const { body } = await oauth.redeem(await oauth.authorize())
    const tokens = body as { access_token: string; refresh_token: string }
    await whenKeyIsKnown(`${rig.url}/v1/integrations`, tokens.access_token)
    return tokens
  }
  const outbox = async () =>
    Number((await rig.ask<{ n: string }>('api', 'select count(*) as n from api.outbox'))[0]?.n ?? 0)

  /** Writes before, while the broker is away for `ms`, and a moment after it came back. */
  async function writeAround(o: { name: string; ms: number; leave(): Promise<unknown>; come(): Promise<unknown> }) {
    const beforeMs = 2_000
    const grant = await newGrant()
    let left = Number.POSITIVE_INFINITY
    const count = { begun: Number.POSITIVE_INFINITY, ended: Number.POSITIVE_INFINITY, waiting: 0 }
    const failed = await rig.failedProbesDuring(async () => {
      const own = await rig.writeWhile(async () => {
        await sleep(beforeMs)
        await o.leave()
        left = Date.now()
        toAuth.push(await writeToAuthWhile({ rig, oauth, grant }, () => sleep(o.ms)))
        count.begun = Date.now()
        count.waiting = await outbox()
        count.ended = Date.now()
        await o.come()
      })
      writes.push(...own)
      const meanwhile = own.filter(({ at, tookMs }) => at > left && at + tookMs < count.begun)
      report(`${o.name}: before: ${latencies(own.filter(({ at }) => at < left))}`)
      report(`${o.name}: away for ${o.ms / 1000} s: ${latencies(meanwhile)}; ${count.waiting} wait in the outbox`)
      expect(own.filter(({ status }) => status !== 200)).toEqual([])
      // All that was answered while it was away waits, and nothing that was not asked for.
      expect(meanwhile.length).toBeGreaterThan(0)
      expect(count.waiting).toBeGreaterThanOrEqual(meanwhile.length)
      expect(count.waiting).toBeLessThanOrEqual(own.filter(({ at }) => at < count.ended).length)
    })
    const answersAgain = performance.now()
    await eventually('the outbox is empty', async () => (await outbox()) === 0, 120_000)
    const published = performance.now() - answersAgain
    await rig.drained()
    const delivered = performance.now() - answersAgain
    report(
      `${o.name}: published ${published.toFixed(0)} ms, delivered ${delivered.toFixed(0)} ms after it answered again`,
    )
    expect(failed).toEqual([])
    await expectNothingLost()
  }

  test('F11: it refuses connections: writes go on, the outbox grows, everything arrives once and in order', () =>
    writeAround({ name: 'F11 refused', ms: awayMs, leave: () => broker.kill(), come: () => broker.start() }))

  // In short, the one below says nothing either.
  if (isFullRun())
    test('F11: it takes connections and says nothing: the same', () =>
      writeAround({
        name: 'F11 silent',
        ms: silentMs,
        leave: async () => process.kill(broker.pid(), 'SIGSTOP'),
        come: async () => process.kill(broker.pid(), 'SIGCONT'),
      }))

  test('F11: it hears and cannot be heard: the same, though what it has taken is sent again', () =>
    writeAround({
      name: 'F11 unheard',
      ms: silentMs,
      leave: async () => rig.brokerProxy?.swallow('answers'),
      come: async () => rig.brokerProxy?.pass(),
    }))

  if (isFullRun())
    test('F10: it is restarted, in order and hard, again and again: nothing acknowledged is lost', async () => {
      const failed = await rig.failedProbesDuring(async () => {
        const own = await rig.writeWhile(async () => {
          for (let nth = 0; nth < restarts; nth += 1) {
            await sleep(2_000)
            await (nth % 2 === 0 ? broker.stop() : broker.kill())
            await sleep(downMs)
            await broker.start()
          }
        })
        writes.push(...own)
        expect(own.filter(({ status }) => status !== 200)).toEqual([])
      })
      report(`F10: drained ${(await rig.drained()).toFixed(0)} ms after the last restart`)
      expect(failed).toEqual([])
      await expectNothingLost()
    })

  test('afterwards an event goes from end to end, and no process was ended by a fault', async () => {
    const before = new Set((await rig.receiver.arrivals()).map(([, id]) => id)).size
    await requireEndInOrder(rig)
    expect(new Set((await rig.receiver.arrivals()).map(([, id]) => id)).size).toBe(before + 1)
  })
})
