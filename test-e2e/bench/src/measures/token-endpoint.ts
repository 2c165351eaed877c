/** What a refresh takes at the token endpoint while many grants are refreshed, each one again once it was answered. */
import pg from 'pg'
import { type OAuthClient, openOAuthClient } from '../../../harness/oauth-client.ts'
import { cpuSecondsOf } from '../cpu.ts'
import { runOpenLoop } from '../open-loop.ts'
import { type Rig, startRig } from '../rig.ts'
import { type Distribution, distributionOf, rounded } from '../statistics.ts'
import { atMost, type Line, type Measure, type MeasureContext, spread } from './measure.ts'

/** Refreshes per second. */
const rate = 50
const grants = 100
/** With Postgres on the same machine. */
const p99MaxMs = 100

/** A grant, by the refresh token that is its newest once what is under way was answered. */
type Family = { newest: Promise<string> }

async function refreshed(client: OAuthClient, refreshToken: string): Promise<string> {
  const { status, body } = await client.refresh(refreshToken)
  if (status !== 200) throw new Error(`a refresh was answered with ${status}: ${JSON.stringify(body)}`)
  return body.refresh_token
}

async function makeFamilies(client: OAuthClient): Promise<Family[]> {
  const families: Family[] = []
  while (families.length < grants) {
    const { status, body } = await client.redeem(await client.authorize())
    if (status !== 200) throw new Error(`a code was answered with ${status}: ${JSON.stringify(body)}`)
    families.push({ newest: Promise.resolve(body.refresh_token as string) })
  }
  return families
}

/** Milliseconds from the instant a refresh was due to its answer. */
async function refreshAll(client: OAuthClient, families: Family[], seconds: number): Promise<Distribution> {
  const took: number[] = []
  await runOpenLoop({
    rate,
    seconds,
    call: async (nth, dueMs) => {
      const family = families[nth % families.length] as Family
      family.newest = family.newest.then((token) => refreshed(client, token))
      await family.newest
      took.push(performance.timeOrigin + performance.now() - dueMs)
    },
  })
  return distributionOf(took)
}

/** Every refresh made one token, and each grant has one that is not used. @throws Error with the numbers when it is not so. */
async function compareWithDatabase({ stack }: Rig, refreshes: number): Promise<void> {
  const admin = new pg.Client({ connectionString: stack.adminUrls.auth })
  await admin.connect()
  try {
    const { rows } = await admin.query<{ made: number; unused: number }>(
      `select count(*)::int as made, (count(*) filter (where consumed_at is null))::int as unused
        from auth.engine_records where kind = 'RefreshToken'`,
    )
    const { made, unused } = rows[0] ?? { made: 0, unused: 0 }
    if (made !== grants + refreshes || unused !== grants)
      throw new Error(
        `${refreshes} refreshes of ${grants} grants, but ${made} refresh tokens, ${unused} of them unused`,
      )
  } finally {
    await admin.end()
  }
}

async function run(context: MeasureContext): Promise<Line[]> {
  const rig = await startRig({ ...context, tenants: 0, subscriptions: 0, spareOrigins: 1, events: [] })
  try {
    const client = await openOAuthClient(rig.stack, { url: rig.services.auth.url, host: '127.0.0.1' })
    const families = await makeFamilies(client)
    const measured: Distribution[] = []
    const cpuEach: number[] = []
    let refreshes = 0
    for (let nth = 0; nth <= context.repetitions; nth += 1) {
      const cpuBefore = cpuSecondsOf(rig.services.auth.pid)
      const distribution = await refreshAll(client, families, context.seconds)
      const cpuMs = (1_000 * (cpuSecondsOf(rig.services.auth.pid) - cpuBefore)) / distribution.count
      refreshes += distribution.count
      const { p50, p99 } = distribution
      context.say(`${rate} refreshes/s: p50 ${p50} ms, p99 ${p99} ms${nth === 0 ? ' (dropped)' : ''}`)
      if (nth === 0) continue
      measured.push(distribution)
      cpuEach.push(rounded(cpuMs, 2))
    }
    await compareWithDatabase(rig, refreshes)
    const p50 = spread(measured.map((one) => one.p50))
    const p99 = spread(measured.map((one) => one.p99))
    const cpu = spread(cpuEach)
    const measure = `token endpoint at ${rate} refreshes/s`
    return [
      { measure: 'CPU of auth per refresh', value: cpu.median, unit: 'ms', range: cpu.range },
      { measure: `${measure}: p50`, value: p50.median, unit: 'ms', range: p50.range },
      {
        measure: `${measure}: p99`,
        value: p99.median,
        unit: 'ms',
        range: p99.range,
        floor: atMost(p99.median, p99MaxMs),
      },
    ]
  } finally {
    await rig.stop()
  }
}

export const tokenEndpoint: Measure = {
  name: 'token-endpoint',
  meaning: `refreshes due at ${rate}/s on ${grants} grants, one at a time for each, to the answer`,
  run,
}
