/** How long a token that was revoked is still taken: from the call that revokes it until every process has refused it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { type OAuthClient, openOAuthClient } from '../../../harness/oauth-client.ts'
import { whenKeyIsKnown } from '../../../harness/stack.ts'
import { startRig } from '../rig.ts'
import { distributionOf } from '../statistics.ts'
import { atMost, type Line, type Measure, type MeasureContext } from './measure.ts'

const revocations = 200
const sideBySide = 10
/** Between two questions to one process; what is told is late by so much at most. */
const pollMs = 20
/** Of auth.md 5.3, at p99. */
const floorMs = 2_000
const deadlineMs = 60_000

async function whenRefused(url: string, token: string): Promise<void> {
  const endMs = performance.now() + deadlineMs
  for (;;) {
    const { statusCode, body } = await request(url, { headers: { authorization: `Bearer ${token}` } })
    await body.dump()
    if (statusCode === 401) return
    if (performance.now() > endMs) throw new Error(`${url} answers ${statusCode} a minute after the token was revoked`)
    await sleep(pollMs)
  }
}

/** Milliseconds from before the commit, so never less than from it. */
async function revokeOne(client: OAuthClient, urls: string[]): Promise<number> {
  const { body } = await client.redeem(await client.authorize())
  await Promise.all(urls.map((url) => whenKeyIsKnown(url, body.access_token)))
  const startMs = performance.now()
  const { status } = await client.revoke(body.refresh_token)
  if (status !== 200) throw new Error(`the revocation was answered with ${status}`)
  await Promise.all(urls.map((url) => whenRefused(url, body.access_token)))
  return performance.now() - startMs
}

async function run(context: MeasureContext): Promise<Line[]> {
  const rig = await startRig({ ...context, tenants: 0, subscriptions: 0, spareOrigins: 1, events: [] })
  try {
    const { auth, api, delivery } = rig.services
    const second = await rig.stack.start('api', { name: 'api-2' })
    const client = await openOAuthClient(rig.stack, { url: auth.url, host: '127.0.0.1' })
    const urls = [`${api.url}/v1/integrations`, `${second.url}/v1/integrations`, `${delivery.url}/v1/webhooks`]
    const took: number[] = []
    while (took.length < revocations) {
      const batch = Array.from({ length: sideBySide }, () => revokeOne(client, urls))
      took.push(...(await Promise.all(batch)))
    }
    const { p50, p99 } = distributionOf(took)
    return [
      { measure: 'revocation to refused by every process: p50', value: p50, unit: 'ms' },
      { measure: 'revocation to refused by every process: p99', value: p99, unit: 'ms', floor: atMost(p99, floorMs) },
    ]
  } finally {
    await rig.stop()
  }
}

export const revocation: Measure = {
  name: 'revocation',
  meaning: `${revocations} grants revoked, ${sideBySide} side by side, until two processes of api and one of delivery refused the access token`,
  run,
}
