/**
 * The broker is away, then auth too, while credentials are used and revoked (auth.md 5.5 to 5.7, XO14 of security.md): what was answered
 * as revoked is refused from then on, what was not is served as long as the log or auth can be asked, and else it is 503.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { KafkaBroker } from '@wds/local-infra/kafka-broker'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import { openAsk } from '../../harness/ask.ts'
import { type Edge, startEdge } from '../../harness/edge.ts'
import { type OAuthClient, openOAuthClient } from '../../harness/oauth-client.ts'
import type { ServiceProcess } from '../../harness/service-processes.ts'
import { type Stack, startStack, whenKeyIsKnown } from '../../harness/stack.ts'
import { eventually } from '../../harness/standalone.ts'
import { askWhile } from '../rig/ask-while.ts'
import { report } from '../rig/load.ts'

const suite = (await whyNoOwnBroker()) === null ? describe : describe.skip

suite('what is revoked while the log is away', () => {
  let stack: Stack
  let edge: Edge
  let broker: KafkaBroker
  let auth: ServiceProcess
  let api: ServiceProcess
  let client: OAuthClient
  let asking: ReturnType<typeof openAsk>
  /** Of grants of their own. */
  const tokens: { access_token: string; refresh_token: string }[] = []
  beforeAll(async () => {
    edge = await startEdge()
    stack = await startStack({ kafka: true, partitions: 4, env: { WDS_BASE_URL: edge.url, WDS_AUTH_URL: edge.url } })
    broker = stack.kafka as KafkaBroker
    asking = openAsk(stack)
    ;[auth, api] = await Promise.all([stack.start('auth'), stack.start('api')])
    await Promise.all([edge.add(auth), edge.add(api)])
    client = await openOAuthClient(stack, { url: edge.url, host: new URL(edge.url).host })
    for (let nth = 0; nth < 4; nth += 1) tokens.push((await client.redeem(await client.authorize())).body)
    for (const one of [client.apiKey, ...tokens.map(({ access_token: token }) => token)])
      await whenKeyIsKnown(`${api.url}/v1/integrations`, one)
  })
  afterAll(async () => {
    edge?.close()
    await asking?.end()
    await stack?.stop()
  })

  const ask = (credential: string, url = api.url) =>
    fetch(`${url}/v1/integrations`, { headers: { authorization: `Bearer ${credential}` } })
  async function statusOf(credential: string, url = api.url): Promise<number> {
    const response = await ask(credential, url)
    await response.arrayBuffer()
    return response.status
  }
  const accessToken = (nth: number) => tokens[nth]?.access_token ?? ''
  const revoke = (nth: number) => client.revoke(tokens[nth]?.refresh_token ?? '')

  async function restartAuth(): Promise<void> {
    auth = await stack.start('auth')
    await edge.add(auth)
  }

  const statusesWhile = async (credentials: string[], during: () => Promise<unknown>) => {
    const statuses = await askWhile({ credentials, ask: (one) => statusOf(one), pauseMs: 50 }, during)
    const refused = statuses.filter((status) => status !== 200).length
    // A 503 has one of two reasons, which the answer does not tell.
    const reasons = /end of the log|confirm-log-end|Auth could not be asked|access tables/
    const said = api
      .output()
      .split('\n')
      .filter((line) => reasons.test(line))
    if (refused > 0) report(`${refused} of ${statuses.length} are not 200; api said: ${said.slice(-5).join('\n')}`)
    return new Set(statuses)
  }

  test('5.6, XO14: with the log there, a revocation is answered once it is on it, and holds within 2 s', async () => {
    expect((await revoke(0)).status).toBe(200)
    const answered = performance.now()
    await eventually('it is refused', async () => (await statusOf(accessToken(0))) === 401)
    report(`revoked, with the log there: refused ${(performance.now() - answered).toFixed(0)} ms after the answer`)
    expect(await outbox()).toEqual([])
  })

  test('5.6, 5.7, XO14: without the log it is answered after 5 s and refused from then on; the others are served throughout', async () => {
    const good = [client.apiKey, accessToken(3)]
    const statuses = await statusesWhile(good, async () => {
      await broker.kill()
      const began = performance.now()
      expect((await revoke(1)).status).toBe(200)
      const tookMs = performance.now() - began
      // It is nowhere but in auth's database.
      expect(await outbox()).toContain('GrantRevoked')
      expect(await statusOf(accessToken(1))).toBe(401)
      report(`revoked, without the log: answered after ${tookMs.toFixed(0)} ms`)
      expect(tookMs).toBeGreaterThan(4_500)
      for (let nth = 0; nth < 50; nth += 1) {
        expect(await statusOf(accessToken(1))).toBe(401)
        await sleep(50)
      }
      // A key that the log has told nobody of.
      const fresh = await stack.makeWorkspace('Made meanwhile')
      expect(await statusOf(fresh.apiKey)).toBe(200)
    })
    expect(statuses).toEqual(new Set([200]))
  })

  test('5.6: auth is killed between commit and publication: the caller got no success, and the revocation holds once auth is back', async () => {
    const revoked = async () => (await outbox()).filter((type) => type === 'GrantRevoked').length
    const before = await revoked()
    const revoking = revoke(2).then(
      ({ status }) => status,
      () => 'no answer',
    )
    await eventually('it is committed', async () => (await revoked()) > before)
    await auth.kill()
    edge.remove(auth)
    expect(await revoking).not.toBe(200)
    // Without the log, too, auth starts and is asked.
    await restartAuth()
    await eventually('it is refused', async () => (await statusOf(accessToken(2))) === 401)
    expect([await statusOf(client.apiKey), await statusOf(accessToken(3))]).toEqual([200, 200])
  })

  test('5.7: without log and auth nothing is served: 503 unavailable, Retry-After 5', async () => {
    await auth.kill()
    edge.remove(auth)
    const isAway = async (credential: string) => (await statusOf(credential)) === 503
    for (const one of [client.apiKey, accessToken(1), accessToken(3)]) {
      await eventually('nobody can be asked', () => isAway(one))
      const response = await ask(one)
      const problem = (await response.json()) as { code: string }
      expect([response.status, problem.code, response.headers.get('retry-after')]).toEqual([503, 'unavailable', '5'])
    }
  })

  test('5.5: a process that starts meanwhile is not ready before the log could be read to its end', async () => {
    let isReady = false
    const starting = stack.start('api', { name: 'api-late', role: 'http' }).then((started) => {
      isReady = true
      return started
    })
    await sleep(5_000)
    expect(isReady).toBe(false)
    await broker.start()
    // What was revoked meanwhile is known to auth alone, and waits in its outbox.
    for (let nth = 0; nth < 50; nth += 1) {
      for (const gone of [1, 2]) expect(await statusOf(accessToken(gone))).toBe(503)
      await sleep(100)
    }
    expect(isReady).toBe(false)
    await restartAuth()
    const late = await starting
    for (const nth of [0, 1, 2]) expect(await statusOf(accessToken(nth), late.url)).toBe(401)
    expect(await statusOf(client.apiKey, late.url)).toBe(200)
  })

  test('5.7: once the log is back the projections decide, with auth down: revoked ones are refused, the others served', async () => {
    await eventually('the log has everything', async () => (await outbox()).length === 0)
    // The last word counts: a busy machine may have said both before.
    const lastSaid = (text: string) => api.output().lastIndexOf(text)
    const isSeen = () => lastSaid('end of the log seen again') > lastSaid('end of the log not seen')
    await eventually('the end of the log is seen again', async () => isSeen())
    await auth.kill()
    edge.remove(auth)
    const statuses = await statusesWhile([client.apiKey, accessToken(3)], async () => {
      for (let nth = 0; nth < 60; nth += 1) {
        for (const gone of [0, 1, 2]) expect(await statusOf(accessToken(gone))).toBe(401)
        await sleep(100)
      }
    })
    expect(statuses).toEqual(new Set([200]))
  })

  /** Types of the events that wait in auth's outbox. */
  async function outbox(): Promise<string[]> {
    const sql = `select headers ->> 'event_type' as type from auth.outbox`
    return (await asking.ask<{ type: string }>('auth', sql)).map(({ type }) => type)
  }
})
