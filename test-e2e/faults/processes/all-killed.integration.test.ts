/** F05: every process of every service is killed at once, amid writes, code flows, refreshes and a caller beyond its quota. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import { isFullRun } from '@wds/local-infra/test-size'
import { serviceNames } from '@wds/provision/provision'
import { decodeJwt } from 'jose'
import { openOAuthClient } from '../../harness/oauth-client.ts'
import { whenKeyIsKnown } from '../../harness/stack.ts'
import { eventually } from '../../harness/standalone.ts'
import { type QuotaHistory, quotaBreachesOf } from '../checkers/call-checker.ts'
import { breachesOf } from '../checkers/checker.ts'
import { requestBreachesOf } from '../checkers/request-checker.ts'
import { storeBreachesOf } from '../checkers/store-checker.ts'
import { type Access, tokenBreachesOf } from '../checkers/token-checker.ts'
import { report, type Write } from '../rig/load.ts'
import { readRequests, readStores } from '../rig/read-stores.ts'
import { type Rig, startRig } from '../rig/rig.ts'
import { type Presented, recorded, type TokenLoad, tokenHistoryOf, useTokensWhile } from '../rig/token-load.ts'

const kills = isFullRun() ? 5 : 1
const load = isFullRun() ? { apps: 20, refreshesEach: 3, paceMs: 200 } : { apps: 3, refreshesEach: 3, paceMs: 150 }
/** Above what the others need. */
const [quota, quotaWindowMs] = [150, 10_000]

const suite = (await whyNoOwnBroker()) === null ? describe : describe.skip

suite('all services killed at once', () => {
  let rig: Rig
  beforeAll(async () => {
    const api = { WDS_REQUEST_QUOTA: String(quota), WDS_REQUEST_QUOTA_WINDOW: `${quotaWindowMs}ms` }
    const delivery = { WDS_DELIVERY_LEASE: '12s', WDS_DELIVERY_DEADLINE: '8s' }
    rig = await startRig({ paceMs: 400, envOf: { api, delivery } })
  })
  afterAll(() => rig?.stop())

  async function killAll(): Promise<void> {
    await Promise.all(serviceNames.map((service) => rig.services[service].kill()))
    const killedAt = performance.now()
    await Promise.all(serviceNames.map((service) => rig.start(service)))
    report(`F05: all are ready ${(performance.now() - killedAt).toFixed(0)} ms after they were killed`)
  }

  /** Asks the API with the credential, `pauseMs` after each answer, until `during` is over. `told`: each request that was answered. */
  async function askWhile(
    o: {
      credential: string
      pauseMs: number
      told(call: { status: number; sentMs: number; answeredMs: number }): void
    },
    during: () => Promise<unknown>,
  ): Promise<void> {
    let isOver = false
    const asking = (async () => {
      while (!isOver) {
        const sentMs = Date.now()
        const headers = { authorization: `Bearer ${o.credential}` }
        const response = await fetch(`${rig.url}/v1/integrations`, { headers }).catch(() => null)
        await response?.arrayBuffer().catch(() => null)
        if (response !== null) o.told({ status: response.status, sentMs, answeredMs: Date.now() })
        // Who is refused need not be a flood as well.
        await sleep(response?.status === 429 ? 100 : o.pauseMs)
      }
    })()
    try {
      await during()
    } finally {
      isOver = true
      await asking
    }
  }

  test(`F05, ${kills} of 5: nothing acknowledged is lost, nothing works twice, no quota is exceeded, known tokens open as before`, async () => {
    const presentations: Presented[] = []
    const client = recorded(
      await openOAuthClient(rig.stack, { url: rig.url, host: new URL(rig.url).host }),
      presentations,
    )
    const tokens = (await client.redeem(await client.authorize())).body as {
      access_token: string
      refresh_token: string
    }
    const revoked = (await client.redeem(await client.authorize())).body as {
      access_token: string
      refresh_token: string
    }
    const greedy = await rig.stack.makeWorkspace('greedy')
    for (const one of [tokens.access_token, revoked.access_token, greedy.apiKey])
      await whenKeyIsKnown(`${rig.url}/v1/integrations`, one)
    expect((await client.revoke(revoked.refresh_token)).status).toBe(200)
    const revokedMs = Date.now()

    const accesses: Access[] = []
    const told = (token: string, of: Partial<Access>) => (call: { status: number; sentMs: number }) => {
      const expiresMs = Number(decodeJwt(token).exp) * 1_000
      accesses.push({ token, atMs: call.sentMs, isAccepted: call.status === 200, expiresMs, ...of })
    }
    const accepted: { sentMs: number; answeredMs: number }[] = []
    const refusals = new Set<number>()
    const ofGreedy = (call: { status: number; sentMs: number; answeredMs: number }) =>
      call.status === 200 ? void accepted.push(call) : void refusals.add(call.status)

    let used: TokenLoad | undefined
    const killAgainAndAgain = async (now: TokenLoad) => {
      await eventually('the greedy one is refused', async () => refusals.has(429))
      for (let nth = 0; nth < kills; nth += 1) {
        const before = now.worked
        await eventually('the load goes on', async () => now.worked >= before + load.apps)
        await sleep(2_000)
        await eventually('an app is amid its refreshes', async () => now.refreshing > 0)
        await killAll()
      }
      const before = now.worked
      await eventually('the load goes on', async () => now.worked >= before + load.apps)
    }
    const askers = [
      { credential: tokens.access_token, pauseMs: 300, told: told(tokens.access_token, {}) },
      { credential: revoked.access_token, pauseMs: 300, told: told(revoked.access_token, { revokedMs }) },
      ...Array.from({ length: 8 }, () => ({ credential: greedy.apiKey, pauseMs: 0, told: ofGreedy })),
    ]
    const asking = askers.reduceRight<(during: () => Promise<unknown>) => Promise<unknown>>(
      (inner, asker) => (during) => askWhile(asker, () => inner(during)),
      (during) => during(),
    )
    const writes: Write[] = await rig.writeWhile(() =>
      asking(async () => {
        used = await useTokensWhile(client, { ...load, during: killAgainAndAgain })
      }),
    )

    report(`F05: drained ${(await rig.drained()).toFixed(0)} ms after the load ended`)
    const [lost] = await rig.ask<{ n: number }>(
      'delivery',
      `select count(*)::int as n from delivery.delivery_log where kind = 'attempt_unknown'`,
    )
    const done = await rig.history(writes)
    expect(breachesOf({ ...done, repeatedMax: lost?.n ?? 0 })).toEqual([])
    expect(requestBreachesOf(await readRequests(rig))).toEqual([])
    expect(storeBreachesOf(await readStores(rig, [...done.log.values()].flat()))).toEqual([])
    const history = await tokenHistoryOf(presentations, (sql) => rig.ask('auth', sql))
    expect(tokenBreachesOf({ ...history, accesses })).toEqual([])
    const ofQuota: QuotaHistory = { caller: 'greedy', quota, windowMs: quotaWindowMs, accepted }
    expect(quotaBreachesOf(ofQuota)).toEqual([])
    // The load was such that each of these could have been broken.
    expect([refusals.has(429), writes.some(({ status }) => status !== 200)]).toEqual([true, true])
    expect(presentations.some(({ outcome }) => outcome === 'unknown')).toBe(true)
    // A known token opens again with the first answer that the API gives.
    expect(
      accesses.filter(({ token, isAccepted }) => token === tokens.access_token && isAccepted).length,
    ).toBeGreaterThan(10)
    const outcomes = `${presentations.length} codes and tokens presented, ${used?.restarts} new grants for lost answers`
    report(`F05: ${writes.length} writes, ${outcomes}, ${accepted.length} requests within the quota`)
  })
})
