// deploy/compose as far as it can run without an engine: two of each service in production over TLS, behind nginx with the files of the front door.

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { whyNoNginx } from '@wds/local-infra/nginx'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import { eventually } from '../harness/standalone.ts'
import { type ComposeRig, startComposeRig } from './rig.ts'

let rig: ComposeRig
let key: string
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was answered
type Body = any
interface Call {
  method?: string
  json?: unknown
  text?: string
  headers?: Record<string, string>
  key?: null
}
async function call(path: string, o: Call = {}): Promise<{ status: number; headers: Headers; body: Body }> {
  const body = o.json === undefined ? o.text : JSON.stringify(o.json)
  const headers = withoutUndefined<Record<string, string>>({
    authorization: o.key === null ? undefined : `Bearer ${key}`,
    'content-type': o.json === undefined ? undefined : 'application/json',
    ...o.headers,
  })
  const answer = await rig.ask(path, {
    method: o.method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    body: body ?? null,
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json')
  return {
    status: answer.status,
    headers: answer.headers as unknown as Headers,
    body: isJson ? JSON.parse(text) : text,
  }
}
const integration = { name: 'n', provider: 'csv_upload', brand_slug: 'acme', currency: 'EUR', source_time_zone: 'UTC' }
const remaining = (headers: Headers) => Number(/;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])

const missing = (await whyNoNginx()) ?? (await whyNoOwnBroker())
;(missing === null ? describe : describe.skip)('behind the front door', () => {
  beforeAll(async () => {
    rig = await startComposeRig()
    const made = await rig.operate('workspaces', 'create', '--name', 'Compose', '--plan', 'business', '--json')
    key = (JSON.parse(made) as { api_key: string }).api_key
  })
  afterAll(() => rig?.stop())

  test('the services answer through the front door: a workspace of the operator, its data, its events', async () => {
    const made = await call('/v1/integrations', { json: integration })
    expect([made.status, made.body.name]).toEqual([201, 'n'])
    expect((await call('/v1/workspace')).status).toBe(200)
    expect((await call('/v1/webhooks')).status).toBe(200)
    expect((await call('/v1/event-types', { key: null })).status).toBe(200)
    expect((await call('/.well-known/oauth-authorization-server', { key: null })).body.issuer).toBe(rig.url)
    await eventually('the event', async () => (await call('/v1/events?type=integration.*')).body.data.length > 0)
  })

  test('a forged X-Forwarded-For, Forwarded or X-Real-IP makes nobody another caller, and a forged scheme no plain one', async () => {
    const forged = (nth: number) => ({
      'x-forwarded-for': `192.0.2.${nth}`,
      forwarded: `for=192.0.2.${nth};proto=http`,
      'x-real-ip': `192.0.2.${nth}`,
      'x-forwarded-proto': 'http',
    })
    const left: number[] = []
    // One address has one quota in each process; two of them answer in turn.
    for (const nth of [1, 2, 3, 4]) {
      const { status, headers } = await call('/v1/integrations', { key: null, headers: forged(nth) })
      expect(status).toBe(401)
      left.push(remaining(headers))
    }
    expect(new Set(left).size).toBe(4)
  })

  test('what is too large is refused by the service in its own words; what is far too large at the door', async () => {
    const large = await call('/v1/webhooks', { json: { url: 'x'.repeat(1.5 * 1_048_576) } })
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large'])
    const target = await call(`/v1/integrations?x=${'x'.repeat(9_000)}`)
    expect([target.status, target.headers.get('content-type')]).toEqual([414, 'application/problem+json'])
    const farTooLarge = await call('/v1/webhooks', { text: 'x'.repeat(3 * 1_048_576) })
    expect([farTooLarge.status, farTooLarge.headers.get('content-type')]).toEqual([413, 'text/html'])
  })

  test('an upload larger than any other body goes through, and is read', async () => {
    const { body } = await call('/v1/integrations', { json: { ...integration, name: 'upload' } })
    const row = '2026-11-01,spring,DE,1,0,0.00\n'
    const text = `date,campaign,country,clicks,ftds,deposits_amount\n${row.repeat(100_000)}`
    expect(text.length).toBeGreaterThan(2.5 * 1_048_576)
    const answer = await call(`/v1/imports?type=stats&integration_id=${body.id}`, {
      text,
      headers: { 'content-type': 'text/csv' },
    })
    expect(answer.status).toBe(202)
    await eventually('the end of the run', async () => {
      const { body: events } = await call('/v1/events?type=sync.*')
      return events.data.some(({ data }: Body) => JSON.stringify(data).includes(body.id))
    })
  })

  test('a service that is away is told as a problem, with when to try again; the internal listener has no way in', async () => {
    for (const path of ['/', '/internal/workspaces']) {
      const { status, headers, body } = await call(path, { key: null })
      expect([status, headers.get('retry-after'), body.code]).toEqual([503, '1', 'unavailable'])
      expect(body.type).toBe(`${rig.url}/problems/unavailable`)
    }
  })

  test('one of each is killed under writes: what was acknowledged is an event, and nobody else is hurt for longer', async () => {
    const { body } = await call('/v1/integrations', { json: { ...integration, name: 'killed' } })
    const path = `/v1/integrations/${body.id}`
    const answers: number[] = []
    // The second of each: the first auth has the internal listener that the others ask.
    for (const copy of rig.copies.slice(4)) {
      const killed = copy.kill()
      for (let i = 0; i < 20; i += 1) {
        const json = { name: `killed ${answers.length}` }
        answers.push((await call(path, { method: 'PATCH', json })).status)
      }
      await killed
    }
    const acknowledged = answers.filter((status) => status === 200)
    expect(new Set([...answers, 503])).toEqual(new Set([200, 503]))
    expect(acknowledged.length).toBeGreaterThan(60)
    const seen = await eventually('an event of every acknowledged write', async () => {
      const { body: page } = await call('/v1/events?type=integration.updated&limit=100')
      const own = (page.data as Body[]).filter(({ data }) => data.integration_id === body.id)
      return own.length >= acknowledged.length && new Set(own.map(({ id }) => id)).size
    })
    expect(seen).toBeLessThanOrEqual(answers.length)
  })

  test('the others end by themselves', async () => {
    for (const copy of rig.copies.slice(0, 4)) expect([copy.service, await copy.stop()]).toEqual([copy.service, 0])
  })
})
