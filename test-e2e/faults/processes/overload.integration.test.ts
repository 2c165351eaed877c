/**
 * F60: callers of ten workspaces ask for ten times what the api service can answer. Its database is 100 ms away, so that connections are what
 * bounds it, on any machine. What is refused is refused fast, the rest is answered as fast as without the flood, sources are pulled meanwhile.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { isFullRun } from '@wds/local-infra/test-size'
import { openAsk } from '../../harness/ask.ts'
import { type Client, clientOf } from '../../harness/client.ts'
import { type FaultProxy, startFaultProxy } from '../../harness/fault-proxy.ts'
import type { ServiceProcess } from '../../harness/service-processes.ts'
import { type Stack, startStack, whenKeyIsKnown } from '../../harness/stack.ts'
import { eventually } from '../../harness/standalone.ts'
import { failedProbesDuring, report } from '../rig/load.ts'
import type { Flood, Flooded } from './flood-main.ts'

const workspaces = 10
const floodSeconds = isFullRun() ? 60 : 10
/** Sources that are pulled for the first time amid the flood. */
const sources = 8
/** "Fast": long before a caller would give up. */
const fastMs = 1_000

let stack: Stack
let proxy: FaultProxy
let api: ServiceProcess
let client: Client
let asking: ReturnType<typeof openAsk>
const requests: Flood['requests'] = []
beforeAll(async () => {
  stack = await startStack({ env: { WDS_REQUEST_CONCURRENCY: '100' } })
  asking = openAsk(stack)
  const { http } = stack.urls.api
  proxy = await startFaultProxy({ host: '127.0.0.1', port: Number(new URL(http).port) }, { delayMs: 100 })
  const slow = Object.assign(new URL(http), { port: String(proxy.port) }).href
  await stack.start('auth')
  api = await stack.start('api', { env: { DATABASE_URL: slow } })
  for (let nth = 0; nth < workspaces; nth += 1) {
    const { apiKey } = await stack.makeWorkspace(`caller ${nth}`)
    await whenKeyIsKnown(`${api.url}/v1/integrations`, apiKey)
    client = clientOf({ base_url: api.url } as never, apiKey)
    const json = { name: 'a', provider: 'csv_upload', brand_slug: 'acme', currency: 'EUR' }
    const { body } = await client('/v1/integrations', { json })
    const authorization = `authorization: Bearer ${apiKey}`
    for (const path of ['/v1/integrations', `/v1/integrations/${body.id}`, '/v1/sync-runs', '/v1/settings'])
      requests.push({ head: `GET ${path} HTTP/1.1\r\n${authorization}`, body: '' })
    const head = `PATCH /v1/integrations/${body.id} HTTP/1.1\r\n${authorization}\r\ncontent-type: application/json`
    requests.push({ head, body: JSON.stringify({ name: 'b' }) })
  }
})
afterAll(async () => {
  await asking?.end()
  await stack?.stop()
  await proxy?.close()
})

async function flood(o: Omit<Flood, 'port' | 'requests'>): Promise<Flooded> {
  const argument = JSON.stringify({ ...o, requests, port: Number(new URL(api.url).port) })
  const program = join(import.meta.dirname, 'flood-main.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [program, argument])
  return JSON.parse(stdout)
}

const answeredPerSecond = ({ okPerSecond }: Flooded) =>
  okPerSecond.reduce((sum, count) => sum + count, 0) / okPerSecond.length

/** As its tables have it: callers are refused meanwhile. */
async function runsSucceeded(ids: string[]): Promise<boolean> {
  const statuses = await asking.ask<{ status: string }>(
    'api',
    `select status from api.sync_runs where integration_id = any($1)`,
    [ids],
  )
  return statuses.length === ids.length && statuses.every(({ status }) => status === 'succeeded')
}

test('F60: ten times its capacity: refused fast, 80 % answered, health green, sources pulled, normal within 10 s', async () => {
  await flood({ seconds: 4, rate: null, connections: 48 })
  const alone = await flood({ seconds: 10, rate: null, connections: 48 })
  expect(Object.keys(alone.answers)).toEqual(['200'])
  const capacity = answeredPerSecond(alone)

  const ids: string[] = []
  for (let nth = 0; nth < sources; nth += 1) {
    const json = { name: `source ${nth}`, provider: 'demo', brand_slug: 'acme', initial_backfill_days: 3 }
    ids.push((await client('/v1/integrations', { json })).body.id)
  }
  let flooded: Flooded = alone
  let pulledMs = Number.POSITIVE_INFINITY
  const notAlive = await failedProbesDuring([api], async () => {
    const startedMs = performance.now()
    const flooding = flood({ seconds: floodSeconds, rate: capacity * 10, connections: 2_000 })
    await eventually('the sources are pulled', () => runsSucceeded(ids), 120_000)
    pulledMs = performance.now() - startedMs
    flooded = await flooding
  })
  const endedMs = performance.now()
  const share = answeredPerSecond(flooded) / capacity
  report(
    `F60: alone ${capacity}/s, ${JSON.stringify(alone.answers)}; ten times as much: ${(share * 100).toFixed(0)} %, ` +
      `${JSON.stringify(flooded.answers)}; sources pulled after ${(pulledMs / 1_000).toFixed(1)} s`,
  )
  expect(notAlive).toEqual([])
  const { 200: _, ...refused } = flooded.answers
  // Else it was no flood.
  expect(Object.keys(refused).length).toBeGreaterThan(0)
  expect(Object.keys(refused).filter((status) => !['429', '503'].includes(status))).toEqual([])
  for (const { p95 } of Object.values(refused)) expect(p95).toBeLessThan(fastMs)
  // Neither answered nor refused.
  expect(flooded.cut + flooded.unsent).toBeLessThan((capacity * 10 * floodSeconds) / 100)
  expect(share).toBeGreaterThan(0.8)
  expect(pulledMs).toBeLessThan(floodSeconds * 1_000)

  const isNormal = async () => {
    const { answers } = await flood({ seconds: 1, rate: capacity / 2, connections: 48 })
    const { 200: ok, ...others } = answers
    return Object.keys(others).length === 0 && ok !== undefined && ok.p50 < (alone.answers[200]?.p95 ?? 0)
  }
  await eventually('it is normal again', isNormal, 60_000)
  const normalMs = performance.now() - endedMs
  report(`F60: normal after ${(normalMs / 1_000).toFixed(1)} s`)
  expect(normalMs).toBeLessThan(10_000)
  const ready = await fetch(`${api.managementUrl}/readyz`)
  expect(ready.status).toBe(200)
})
