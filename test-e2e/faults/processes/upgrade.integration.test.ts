/**
 * F52: the services are upgraded from the last release, and stepped back, while requests, deliveries and apps go on: every migration since
 * then is applied under load, old and new processes serve beside each other, no request is answered with a fault, nothing is lost.
 */

import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { type FakeReceiver, startFakeReceiver } from '@wds/fake-receiver/fake-receiver'
import { isFullRun } from '@wds/local-infra/test-size'
import { serviceNames } from '@wds/provision/provision'
import { type Ask, openAsk } from '../../harness/ask.ts'
import { type Client, clientOf } from '../../harness/client.ts'
import { type Edge, startEdge } from '../../harness/edge.ts'
import { type OAuthClient, openOAuthClient } from '../../harness/oauth-client.ts'
import { checkOutLastRelease, type OldRelease } from '../../harness/old-release.ts'
import type { ServiceProcess } from '../../harness/service-processes.ts'
import { type Stack, startStack, whenKeyIsKnown } from '../../harness/stack.ts'
import { eventually } from '../../harness/standalone.ts'
import { latencies, report, type Write, writeWhile } from '../rig/load.ts'
import { readFacts } from '../rig/read-history.ts'
import { type Presented, recorded, type TokenLoad, useTokensWhile } from '../rig/token-load.ts'

const togetherMs = isFullRun() ? 60_000 : 5_000
const lockMaxMs = 500
const aloneMs = isFullRun() ? 10_000 : 1_000
const upgraded = ['auth', 'catalog', 'api', 'delivery'] as const
const probes = { auth: '/v1/workspace', api: '/v1/integrations', catalog: '/v1/event-types', delivery: '/v1/webhooks' }

let old: OldRelease
let stack: Stack
let edge: Edge
let receiver: FakeReceiver
let app: OAuthClient
let client: Client
let before: ServiceProcess[]
let asking: { ask: Ask; end(): Promise<unknown> }
beforeAll(async () => {
  old = checkOutLastRelease()
  edge = await startEdge()
  receiver = await startFakeReceiver()
  stack = await startStack({ env: { WDS_BASE_URL: edge.url, WDS_AUTH_URL: edge.url }, sources: old.root })
  asking = openAsk(stack)
  const auth = await stack.start('auth', { sources: old.root })
  await edge.add(auth)
  app = await openOAuthClient(stack, { url: edge.url, host: new URL(edge.url).host })
  client = clientOf({ base_url: edge.url } as never, app.apiKey)
  before = [auth, ...(await start('old', { sources: old.root, services: ['catalog', 'api', 'delivery'] }))]
})
afterAll(async () => {
  edge?.close()
  await asking?.end()
  await stack?.stop()
  await receiver?.close()
  if (old) rmSync(old.root, { recursive: true, force: true })
})

async function start(
  name: string,
  { sources, services = upgraded }: { sources?: string; services?: readonly (typeof upgraded)[number][] } = {},
): Promise<ServiceProcess[]> {
  const started: ServiceProcess[] = []
  for (const service of services) {
    const process = await stack.start(
      service,
      withoutUndefined({
        name: `${service}-${name}`,
        // The internal port is taken by the auth that was first; only while the log is away would anybody ask there.
        env: { WDS_INTERNAL_PORT: '0' },
        sources,
      }),
    )
    await whenKeyIsKnown(`${process.url}${probes[service]}`, app.apiKey)
    await edge.add(process)
    started.push(process)
  }
  return started
}

/** As a platform does it: no further request, those under way are answered, then the end. */
async function retire(processes: ServiceProcess[]): Promise<(number | null)[]> {
  for (const process of processes) edge.remove(process)
  await sleep(1_000)
  return Promise.all(processes.map((process) => process.stop()))
}

/** The longest wait for a lock of a table or row meanwhile, ms; locks that a leader holds for as long as it lives do not count. */
async function longestLockWait(during: () => Promise<void>): Promise<number> {
  const waiting = `select coalesce(max(extract(epoch from clock_timestamp() - l.waitstart)), 0) * 1000 as ms
    from pg_locks l join pg_stat_activity a using (pid)
   where not l.granted and l.locktype <> 'advisory' and l.waitstart is not null and a.datname = current_database()`
  let [isOver, longest] = [false, 0]
  const looking = (async () => {
    while (!isOver) {
      const [row] = await asking.ask<{ ms: string }>('api', waiting)
      longest = Math.max(longest, Number(row?.ms))
      await sleep(20)
    }
  })()
  await during().finally(() => {
    isOver = true
  })
  await looking
  return longest
}

/** Every service's migrations, in turn, as a platform's Jobs do it. Names of those applied. */
async function migrateAll(): Promise<string[]> {
  const applied: string[] = []
  for (const service of serviceNames) {
    const { code, output } = await stack.run(service, ['migrate'], {
      WDS_OWNER_DATABASE_URL: stack.urls[service].owner,
    })
    if (code !== 0) throw new Error(output)
    applied.push(...output.split('\n').filter((line) => line.endsWith('.sql')))
  }
  return applied
}

/** Asks each service again and again meanwhile. Statuses of what was not answered with 200; 0: no answer. */
async function readWhile(during: () => Promise<unknown>): Promise<{ asked: number; failed: [string, number][] }> {
  const read = { asked: 0, failed: [] as [string, number][] }
  let isOver = false
  const reading = (async () => {
    while (!isOver) {
      for (const path of [...Object.values(probes), '/v1/settings', '/v1/sync-runs']) {
        const { status } = await client(path).catch(() => ({ status: 0 }))
        read.asked += 1
        if (status !== 200) read.failed.push([path, status])
      }
      await sleep(100)
    }
  })()
  await during().finally(() => {
    isOver = true
  })
  await reading
  return read
}

test('F52: upgraded under load and stepped back: no fault, no lock above 500 ms, each change delivered, each token good', async () => {
  const hook = { url: `${receiver.url}/hook`, events: ['integration.updated'] }
  expect((await client('/v1/webhooks', { json: hook })).status).toBe(201)
  const integrations: string[] = []
  for (let nth = 0; nth < 4; nth += 1) {
    const json = { name: `writer ${nth}`, provider: 'csv_upload', brand_slug: 'acme', currency: 'EUR' }
    integrations.push((await client('/v1/integrations', { json })).body.id)
  }
  let applied: string[] = []
  let lockMs = 0
  const codes: (number | null)[] = []
  const upgradeAndStepBack = async () => {
    lockMs = await longestLockWait(async () => {
      applied = await migrateAll()
      const after = await start('new')
      await sleep(togetherMs)
      codes.push(...(await retire(before)))
      await sleep(aloneMs)
      // The way back: the old program on the new schema.
      await start('old-again', { sources: old.root })
      codes.push(...(await retire(after)))
      await sleep(aloneMs)
    })
  }
  let writes: Write[] = []
  const write = async () => {
    writes = await writeWhile(client, { integrations, paceMs: 100, during: upgradeAndStepBack })
  }
  const presented: Presented[] = []
  let tokens: TokenLoad | undefined
  const read = await readWhile(async () => {
    tokens = await useTokensWhile(recorded(app, presented), { apps: 2, refreshesEach: 3, paceMs: 200, during: write })
  })
  report(
    `F52: from ${old.version} (${old.commit.slice(0, 10)}), applied under load: ${applied.join(', ') || 'nothing'}; ` +
      `longest wait for a lock ${lockMs.toFixed(0)} ms; ${read.asked} reads, ${presented.length} codes and tokens; changes: ${latencies(writes)}`,
  )
  const migrations = applied.filter((name) => !name.startsWith('functions/'))
  expect(new Set(migrations)).toEqual(new Set(old.migrationsSince))
  expect(writes.filter(({ status }) => status !== 200)).toEqual([])
  expect(read.failed).toEqual([])
  expect(presented.filter(({ outcome }) => outcome !== 'worked')).toEqual([])
  expect(tokens?.restarts).toBe(0)
  expect(codes).toEqual(codes.map(() => 0))
  expect(lockMs).toBeLessThan(lockMaxMs)

  const facts = [...(await readFacts(asking.ask, app.workspaceId)).values()].flat()
  expect(facts.length).toBe(writes.length)
  const arrived = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
  await eventually('every change at the receiver', async () => arrived().size >= facts.length)
  expect(receiver.received.length).toBe(facts.length)

  // What both wrote, the present program reads: rows that it would write otherwise are mended, none is left.
  for (const service of ['auth', 'api', 'delivery'] as const)
    for (const command of ['rebuild-rows', 'check-rows']) {
      const { code, output } = await stack.run(service, [command])
      expect([service, command, code, code === 0 ? '' : output]).toEqual([service, command, 0, ''])
    }
})
