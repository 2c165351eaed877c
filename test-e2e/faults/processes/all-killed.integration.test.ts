/** F05: every process of every service is killed at once, amid writes, code flows, refreshes and a caller beyond its quota. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import { isFullRun } from '@wds/local-infra/test-size'
import { serviceNames } from '@wds/provision/provision'
import { decodeJwt } from 'jose'
import { type OAuthClient, openOAuthClient } from '../../harness/oauth-client.ts'
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

  let lastKillMs = Number.POSITIVE_INFINITY
  async function killAll(): Promise<void> {
    lastKillMs = Date.now()
    await Promise.all(serviceNames.map((service) => rig.services[service].kill()))
    const killedAt = performance.now()
    await Promise.all(serviceNames.map((service) => rig.start(service)))
    report(`F05: all are ready ${(performance.now() - killedAt).toFixed(0)} ms after they were killed`)
  }

  /** A request that was answered. */
  interface Call {
    status: number
    sentMs: number
    answeredMs: number
  }

  /** Asks the API with the credential, `pauseMs` after each answer, until `isOver`. */
  async function askUntil(
    isOver: () => boolean,
    o: { credential: string; pauseMs: number; onAnswer(call: Call): void },
  ): Promise<void> {
    while (!isOver()) {
      const sentMs = Date.now()
      const headers = { authorization: `Bearer ${o.credential}` }
      const response = await fetch(`${rig.url}/v1/integrations`, { headers }).catch(() => null)
      await response?.arrayBuffer().catch(() => null)
      if (response !== null) o.onAnswer({ status: response.status, sentMs, answeredMs: Date.now() })
      // Who is refused need not be a flood as well.
      await sleep(response?.status === 429 ? 100 : o.pauseMs)
    }
  }

  /** A token that stays, one that is revoked, and a key whose holder asks for more than its quota. */
  async function prepareCallers(client: OAuthClient) {
    const newGrant = async () => (await client.redeem(await client.authorize())).body as Record<string, string>
    const { access_token: known = '' } = await newGrant()
    const { access_token: revoked = '', refresh_token: refreshToken = '' } = await newGrant()
    const { apiKey: greedy } = await rig.stack.makeWorkspace('greedy')
    for (const one of [known, revoked, greedy]) await whenKeyIsKnown(`${rig.url}/v1/integrations`, one)
    expect((await client.revoke(refreshToken)).status).toBe(200)
    return { known, revoked, revokedMs: Date.now(), greedy }
  }

  /** Calls of all of them until `during` is over: each access with a token, and what the greedy one was answered. */
  function createCalls({ known, revoked, revokedMs, greedy }: Awaited<ReturnType<typeof prepareCallers>>) {
    const accesses: Access[] = []
    const accepted: QuotaHistory['accepted'][number][] = []
    const refusals = new Set<number>()
    const answersToKnown = new Set<number>()
    const noteAccess = (token: string, of: Partial<Access>) => (call: Call) => {
      const expiresMs = Number(decodeJwt(token).exp) * 1_000
      accesses.push({ token, atMs: call.sentMs, isAccepted: call.status === 200, expiresMs, ...of })
      if (token === known) answersToKnown.add(call.status)
    }
    const noteGreedy = (call: Call) => (call.status === 200 ? void accepted.push(call) : void refusals.add(call.status))
    const callers = [
      { credential: known, pauseMs: 300, onAnswer: noteAccess(known, {}) },
      { credential: revoked, pauseMs: 300, onAnswer: noteAccess(revoked, { revokedMs }) },
      ...Array.from({ length: 8 }, () => ({ credential: greedy, pauseMs: 0, onAnswer: noteGreedy })),
    ]
    const askWhile = async (during: () => Promise<unknown>) => {
      let isOver = false
      const asking = callers.map((caller) => askUntil(() => isOver, caller))
      try {
        await during()
      } finally {
        isOver = true
        await Promise.all(asking)
      }
    }
    return { accesses, accepted, refusals, answersToKnown, askWhile }
  }

  async function killAgainAndAgain(now: TokenLoad, isRefused: () => boolean): Promise<void> {
    await eventually('the greedy one is refused', async () => isRefused())
    const goesOn = async () => {
      const before = now.worked
      await eventually('the load goes on', async () => now.worked >= before + load.apps)
    }
    for (let nth = 0; nth < kills; nth += 1) {
      await goesOn()
      await sleep(2_000)
      await eventually('an app is amid its refreshes', async () => now.refreshing > 0)
      await killAll()
    }
    await goesOn()
  }

  async function judgeWrites(writes: Write[]): Promise<void> {
    report(`F05: drained ${(await rig.drained()).toFixed(0)} ms after the load ended`)
    const [lost] = await rig.ask<{ n: number }>(
      'delivery',
      `select count(*)::int as n from delivery.delivery_log where kind = 'attempt_unknown'`,
    )
    const done = await rig.history(writes)
    expect(breachesOf({ ...done, repeatedMax: lost?.n ?? 0 })).toEqual([])
    expect(requestBreachesOf(await readRequests(rig))).toEqual([])
    expect(storeBreachesOf(await readStores(rig, [...done.log.values()].flat()))).toEqual([])
  }

  test(`F05, ${kills} of 5: nothing acknowledged is lost, nothing works twice, no quota is exceeded, known tokens open as before`, async () => {
    const presentations: Presented[] = []
    const client = recorded(
      await openOAuthClient(rig.stack, { url: rig.url, host: new URL(rig.url).host }),
      presentations,
    )
    const callers = await prepareCallers(client)
    const { accesses, accepted, refusals, answersToKnown, askWhile } = createCalls(callers)
    let used: TokenLoad | undefined
    const writes = await rig.writeWhile(() =>
      askWhile(async () => {
        const during = (now: TokenLoad) => killAgainAndAgain(now, () => refusals.has(429))
        used = await useTokensWhile(client, { ...load, during })
      }),
    )

    await judgeWrites(writes)
    const history = await tokenHistoryOf(presentations, (sql) => rig.ask('auth', sql))
    expect(tokenBreachesOf({ ...history, accesses })).toEqual([])
    expect(quotaBreachesOf({ caller: 'greedy', quota, windowMs: quotaWindowMs, accepted })).toEqual([])
    // The load was such that each of these could have been broken.
    expect([refusals.has(429), writes.some(({ status }) => status !== 200)]).toEqual([true, true])
    expect(presentations.some(({ outcome }) => outcome === 'unknown')).toBe(true)
    // A known token opens again with the first answer that the API gives itself: it is never taken for an unknown one.
    const opened = accesses.filter(({ token, isAccepted }) => token === callers.known && isAccepted)
    expect(opened.length).toBeGreaterThan(10)
    expect([answersToKnown.has(401), opened.some(({ atMs }) => atMs > lastKillMs)]).toEqual([false, true])
    const outcomes = `${presentations.length} codes and tokens presented, ${used?.restarts} new grants for lost answers`
    report(`F05: ${writes.length} writes, ${outcomes}, ${accepted.length} requests within the quota`)
  })
})
