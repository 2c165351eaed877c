// Quotas and fair connections over real listeners and the real Postgres: three processes' worth of listeners share one count.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createPool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { purgeRequestQuotas } from './quota-store.ts'
import { createHttpService, type RunningHttpService } from './service.ts'
import { type Answer, call } from './widgets/exchange.ts'
import { startWidgets, type Widgets } from './widgets/widget-service.ts'

const requests = 60
let widgets: Widgets
let others: RunningHttpService[] = []
beforeAll(async () => {
  // Long, so that no window ends within a test.
  const admission = { requests, windowMs: 86_400_000, concurrent: 30 }
  widgets = await startWidgets({ admission, trustedProxies: [] })
  const start = () => createHttpService(widgets.options).listen({ host: '127.0.0.1', port: 0 })
  others = await Promise.all([start(), start()])
})
afterAll(async () => {
  for (const other of others) await other.close({ graceMs: 0 })
  await widgets?.stop()
})

const ports = () => [widgets.port, ...others.map(({ port }) => port)]
const url = (path: string, at = 0) => `http://127.0.0.1:${ports()[at % 3]}${path}`
const leftOf = ({ headers }: Answer) => Number(/^"default";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '')?.[1])

test('C60, C61: three listeners let through what the quota has, tell how the caller stands, and refuse with 429 then', async () => {
  const answers: Answer[] = []
  for (let at = 0; at < requests * 2; at++) answers.push(await call(url('/v1/widgets/mine', at), { token: 'a2' }))
  const passed = answers.filter(({ status }) => status === 200)
  expect(passed.length).toBeGreaterThanOrEqual(requests * 0.95)
  expect(passed.length).toBeLessThanOrEqual(requests * 1.05)
  for (const { headers } of answers) {
    expect(headers.get('ratelimit-policy')).toBe('"default";q=60;w=86400, "concurrency";q=30;qu="concurrent-requests"')
  }
  expect(answers[0] && leftOf(answers[0])).toBe(59)
  const refused = answers.at(-1) as Answer
  const { headers, json } = refused
  expect([refused.status, leftOf(refused), headers.get('content-type')]).toEqual([429, 0, 'application/problem+json'])
  const rest = Number(/t=(\d+)$/.exec(headers.get('ratelimit') ?? '')?.[1])
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(rest)
  expect(json).toMatchObject({
    type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
    status: 429,
    code: 'quota_exceeded',
    detail: 'At most 60 requests in 86400 seconds.',
    'violated-policies': ['default'],
  })
  // Another client of the same workspace, and another workspace.
  for (const token of ['reader', 'b']) expect((await call(url('/v1/widgets/mine'), { token })).status).toBe(200)
})

test('C40, C62: a 403 counts, a 304 does not', async () => {
  const etag = { 'if-none-match': '*' }
  const first = await call(url('/v1/widgets'), { token: 'reader' })
  expect(first.status).toBe(403)
  expect(leftOf(await call(url('/v1/widgets'), { token: 'reader' }))).toBe(leftOf(first) - 1)
  const { json } = await call(url('/v1/widgets'), { token: 'b', body: { name: 'kept' } })
  const read = await call(url(`/v1/widgets/${json.id}`), { token: 'b' })
  for (let at = 0; at < 3; at++) {
    const unchanged = await call(url(`/v1/widgets/${json.id}`), { token: 'b', headers: etag })
    expect([unchanged.status, leftOf(unchanged)]).toEqual([304, leftOf(read)])
  }
})

test('C61, C62: without a valid client the address is counted, and a forged X-Forwarded-For changes nothing', async () => {
  const ask = (at: number) =>
    call(url(at % 2 === 0 ? '/v1/widgets' : '/v1/nowhere'), {
      token: at % 4 === 0 ? null : 'nobody',
      headers: { 'x-forwarded-for': `192.0.2.${at}` },
    })
  expect([(await ask(0)).status, (await ask(1)).status, (await ask(2)).status]).toEqual([401, 404, 401])
  const late = await Promise.all(Array.from({ length: requests * 1.05 }, (_, at) => ask(at)))
  expect(late.map(({ status }) => status)).toContain(429)
  const { status, json } = await ask(0)
  expect([status, json.code]).toEqual([429, 'quota_exceeded'])
  // A good key is let in from the same address, and the probes are.
  expect((await call(url('/v1/widgets/mine'), { token: 'b' })).status).toBe(200)
  expect((await call(url('/healthz'), { token: null })).headers.get('ratelimit')).toBeNull()
})

describe('a greedy workspace', () => {
  test('regression: that holds connections with slow requests keeps no other workspace waiting, and is bounded in number', async () => {
    const { json } = await call(url('/v1/widgets'), { body: { name: 'held' } })
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const holding = new Promise<void>((settle) => {
      void withTransaction(widgets.pool, { workspaceId: 'wsp_A' }, async (tx) => {
        await tx.query('select 1 from widgets where id = $1 for update', [json.id])
        settle()
        await held
      })
    })
    await holding
    const patch = () => call(url(`/v1/widgets/${json.id}`), { method: 'PATCH', body: { name: 'late' } })
    let isOver = false
    let ended = 0
    // Each waits for the row as long as a statement may take, which on a slow machine ends first: then it asks again.
    const hold = async () => {
      for (;;) {
        const answer = await patch()
        if (answer.status === 429 || isOver) return answer
        ended += 1
      }
    }
    // As many as the pool has connections and more.
    const greedy = Array.from({ length: 32 }, hold)
    try {
      const refused = await Promise.race(greedy)
      expect([refused.status, refused.json['violated-policies']]).toEqual([429, ['concurrency']])
      // Who had to wait for a connection of theirs would be answered only after one of them.
      let unhindered = 0
      for (let at = 0; at < 100 && unhindered < 5; at++) {
        const before = ended
        expect((await call(url('/v1/widgets'), { token: 'b' })).status).toBe(200)
        if (ended === before) unhindered += 1
      }
      expect(unhindered).toBe(5)
    } finally {
      isOver = true
      release()
      await Promise.all(greedy)
    }
  })
})

test('callers whose windows ended long ago are removed, more than one statement takes too', async () => {
  const admin = createPool({
    connectionString: widgets.adminUrl,
    applicationName: 'test',
    max: 1,
    statementTimeoutMs: 0,
  })
  const worker = createPool({ connectionString: widgets.worker, applicationName: 'tidy', max: 1 })
  try {
    await admin.query('truncate api.request_quotas')
    await admin.query(
      `insert into api.request_quotas select 'address ' || n, now() - interval '1 hour' - n * interval '1 ms', 10 from generate_series(1, 45000) n
       union all select 'address lately', now() - interval '59 minutes', 10`,
    )
    await purgeRequestQuotas(worker)
    const { rows } = await admin.query('select caller from api.request_quotas')
    expect(rows).toEqual([{ caller: 'address lately' }])
  } finally {
    await Promise.all([admin.end(), worker.end()])
  }
})
