/** Auth is killed again and again amid code flows and refreshes: nothing works twice, who lost an answer begins anew, and the API serves on. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { isFullRun } from '@wds/local-infra/test-size'
import { openAsk } from '../../harness/ask.ts'
import { type Edge, startEdge } from '../../harness/edge.ts'
import { type OAuthClient, openOAuthClient } from '../../harness/oauth-client.ts'
import type { ServiceProcess } from '../../harness/service-processes.ts'
import { type Stack, startStack, whenKeyIsKnown } from '../../harness/stack.ts'
import { eventually } from '../../harness/standalone.ts'
import { tokenBreachesOf } from '../checkers/token-checker.ts'
import { askWhile } from '../rig/ask-while.ts'
import { report } from '../rig/load.ts'
import { answered } from '../rig/rig.ts'
import { type Presented, recorded, type TokenLoad, tokenHistoryOf, useTokensWhile } from '../rig/token-load.ts'

const kills = isFullRun() ? 10 : 3
const load = isFullRun() ? { apps: 20, refreshesEach: 3, paceMs: 200 } : { apps: 5, refreshesEach: 3, paceMs: 100 }

let stack: Stack
let edge: Edge
let auth: ServiceProcess
let asking: ReturnType<typeof openAsk>
beforeAll(async () => {
  edge = await startEdge()
  stack = await startStack({ env: { WDS_BASE_URL: edge.url, WDS_AUTH_URL: edge.url } })
  const [first, api] = await Promise.all([stack.start('auth'), stack.start('api')])
  auth = first
  await Promise.all([edge.add(auth), edge.add(api)])
  asking = openAsk(stack)
})
afterAll(async () => {
  await asking?.end()
  edge?.close()
  await stack?.stop()
})

/** Two answers are lost for certain, a code's and a refresh token's; those of the load that are under way may be. */
async function killOnce(client: OAuthClient): Promise<void> {
  const code = await client.authorize()
  const [ofCode, ofRefresh] = [await client.redeem(code), await client.redeem(await client.authorize())]
  const token = ofRefresh.body.refresh_token
  expect((await client.refresh(token)).status).toBe(200)
  await auth.kill()
  edge.remove(auth)
  auth = await stack.start('auth')
  await edge.add(auth)
  const again = [await answered(() => client.redeem(code)), await answered(() => client.refresh(token))]
  expect(again.map(({ status, body }) => [status, body.error])).toEqual(Array(2).fill([400, 'invalid_grant']))
  // Whoever has the answer that the client lost has nothing.
  expect((await client.refresh(ofCode.body.refresh_token)).body.error).toBe('invalid_grant')
  expect((await client.redeem(await client.authorize())).status).toBe(200)
}

async function killAgainAndAgain(client: OAuthClient, { worked }: { worked(): number }): Promise<void> {
  for (let nth = 0; nth < kills; nth += 1) {
    const before = worked()
    await eventually('the load goes on', async () => worked() >= before + load.apps)
    await killOnce(client)
  }
}

/** What the API answers to it. */
async function statusOf(credential: string): Promise<number> {
  const response = await fetch(`${edge.url}/v1/integrations`, { headers: { authorization: `Bearer ${credential}` } })
  await response.arrayBuffer()
  return response.status
}

test(`F04: auth is killed ${kills} times: no code or refresh token works twice, lost answers end in new grants, the API serves on`, async () => {
  const presentations: Presented[] = []
  const { host } = new URL(edge.url)
  const client = recorded(await openOAuthClient(stack, { url: edge.url, host }), presentations)
  const { body } = await client.redeem(await client.authorize())
  const known = [body.access_token as string, client.apiKey]
  for (const one of known) await whenKeyIsKnown(`${edge.url}/v1/integrations`, one)

  let used: TokenLoad | undefined
  const statuses = await askWhile({ credentials: known, ask: statusOf, pauseMs: 100 }, async () => {
    const during = (now: TokenLoad) => killAgainAndAgain(client, { worked: () => now.worked })
    used = await useTokensWhile(client, { ...load, during })
  })
  expect(new Set(statuses)).toEqual(new Set([200]))

  const history = await tokenHistoryOf(presentations, (sql) => asking.ask('auth', sql))
  expect(tokenBreachesOf(history)).toEqual([])
  const lost = presentations.filter(({ outcome }) => outcome === 'unknown').length
  expect(lost).toBeGreaterThan(0)
  const worked = presentations.filter(({ outcome }) => outcome === 'worked')
  report(`F04: ${worked.length} codes and tokens used, ${lost} answers lost, ${used?.restarts} new grants for it`)
})
