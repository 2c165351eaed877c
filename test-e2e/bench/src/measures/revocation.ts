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

interface Allowed {
  accessToken: string
  refreshToken: string
}

/** A new grant whose access token every process takes. */
async function allow(client: OAuthClient, urls: string[]): Promise<Allowed> {
  const { status, body } = await client.redeem(await client.authorize())
  if (status !== 200) throw new Error(`the code was answered with ${status} ${body?.error}`)
  await Promise.all(urls.map((url) => whenKeyIsKnown(url, body.access_token)))
  return { accessToken: body.access_token, refreshToken: body.refresh_token }
}

/** Ends the grant. Gives the instant before the call, so never one after the commit. */
async function revoke(client: OAuthClient, { refreshToken }: Allowed): Promise<number> {
  const startMs = performance.now()
  const { status, body } = await client.revoke(refreshToken)
  if (status !== 200) throw new Error(`the revocation was answered with ${status} ${body?.error}`)
  return startMs
}

async function revokeOne(client: OAuthClient, urls: string[]): Promise<number> {
  const allowed = await allow(client, urls)
  const startMs = await revoke(client, allowed)
  await Promise.all(urls.map((url) => whenRefused(url, allowed.accessToken)))
  return performance.now() - startMs
}

/** So many at once, and auth is killed as soon as the last one was answered: nobody is left to ask. */
async function revokeThenKill(client: OAuthClient, urls: string[], kill: () => Promise<void>): Promise<number[]> {
  const all = await inParallel(() => allow(client, urls))
  const starts = await Promise.all(all.map((allowed) => revoke(client, allowed)))
  await kill()
  const ends = all.map(async ({ accessToken }) => {
    await Promise.all(urls.map((url) => whenRefused(url, accessToken)))
    return performance.now()
  })
  return (await Promise.all(ends)).map((endMs, nth) => endMs - (starts[nth] as number))
}

const inParallel = <T>(work: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: sideBySide }, work))

async function run(context: MeasureContext): Promise<Line[]> {
  const rig = await startRig({ ...context, tenants: 0, subscriptions: 0, spareOrigins: 1, events: [] })
  try {
    const { auth, api, delivery } = rig.services
    const second = await rig.stack.start('api', { name: 'api-2' })
    const client = await openOAuthClient(rig.stack, { url: auth.url, host: '127.0.0.1' })
    const urls = [`${api.url}/v1/integrations`, `${second.url}/v1/integrations`, `${delivery.url}/v1/webhooks`]
    const took: number[] = []
    while (took.length < revocations) took.push(...(await inParallel(() => revokeOne(client, urls))))
    const without: number[] = []
    let running = auth
    while (without.length < revocations) {
      without.push(...(await revokeThenKill(client, urls, running.kill)))
      running = await rig.stack.start('auth', { env: { WDS_HTTP_PORT: new URL(auth.url).port } })
    }
    return [
      ...linesOf('revocation to refused by every process', took),
      ...linesOf('the same, auth killed once it was answered', without),
    ]
  } finally {
    await rig.stop()
  }
}

function linesOf(measure: string, took: number[]): Line[] {
  const { p50, p99 } = distributionOf(took)
  return [
    { measure: `${measure}: p50`, value: p50, unit: 'ms' },
    { measure: `${measure}: p99`, value: p99, unit: 'ms', floor: atMost(p99, floorMs) },
  ]
}

export const revocation: Measure = {
  name: 'revocation',
  meaning: `${revocations} grants revoked, ${sideBySide} side by side, until two processes of api and one of delivery refused the access token; then as many, with auth killed once ten were answered`,
  run,
}
