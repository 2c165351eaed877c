/** A user's first day through the public doors: subscribe, upload, receive a signed webhook, see it fail, ask for it again. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { verifyWebhook } from '@wds/webhook-signature/verify'
import { type Client, clientOf, controlReceiver, receivedBy, uploadStats } from '../harness/client.ts'
import { type Product, shapesHere, startProduct } from '../harness/product.ts'
import { eventually } from '../harness/standalone.ts'
import { makeWorkspace } from '../harness/workspaces.ts'

const csv = [
  'date,campaign,country,clicks,ftds,deposits_amount',
  '2026-11-01,spring,DE,120,4,310.50',
  '2026-11-02,spring,SE,80,1,55.00',
  '2026-11-02,autumn,SE,40,0,not-a-number',
  '',
].join('\n')

describe.each(await shapesHere())('%s', (_name, shape) => {
  let product: Product
  let client: Client

  beforeAll(async () => {
    product = await startProduct(shape, {
      WDS_DELIVERY_DELAYS: '300ms,300ms,300ms,300ms,300ms',
      WDS_DELIVERY_ATTEMPTS: '6',
    })
    client = clientOf(product.at)
  })
  afterAll(() => product?.stop())

  async function subscribe(path: string, events: string[]): Promise<{ id: string; secret: string }> {
    const answer = await client('/v1/webhooks', { json: { url: `${product.at.receiver_url}${path}`, events } })
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ events })])
    expect(answer.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
    return { id: answer.body.id, secret: answer.body.secret }
  }

  async function upload(
    text: string,
  ): Promise<{ importId: string; syncRunId: string; import: Record<string, unknown> }> {
    const accepted = await uploadStats(client, product.at.integration_id, text)
    expect([accepted.status, accepted.body]).toEqual([202, expect.objectContaining({ object: 'import' })])
    const done = await eventually('the import ended', async () => {
      const { body } = await client(`/v1/imports/${accepted.body.id}`)
      return ['completed', 'completed_with_errors', 'failed'].includes(body.status) && body
    })
    return { importId: done.id, syncRunId: done.sync_run_id, import: done }
  }

  /** The newest delivery of the subscription once it has that status. */
  function deliveryWith(webhookId: string, type: string, status: string): Promise<Record<string, string>> {
    return eventually(`a ${type} delivery in ${status}`, async () => {
      const { body } = await client(`/v1/webhooks/${webhookId}/deliveries?type=${type}`)
      return body.data.find((delivery: { status: string }) => delivery.status === status)
    })
  }

  describe('a user uploads stats', () => {
    test('the signed sync.completed with the true counts arrives and is recorded', async () => {
      const subscription = await subscribe('/hooks/first', ['sync.*'])
      const done = await upload(csv)
      expect(done.import).toMatchObject({ status: 'completed_with_errors', lines: 3, accepted: 2, rejected: 1 })

      const run = await client(`/v1/sync-runs/${done.syncRunId}`)
      expect(run.body).toMatchObject({
        status: 'succeeded',
        trigger: 'upload',
        rows_ingested: 2,
        rows_inserted: 2,
        rows_rejected: 1,
      })

      const request = await eventually('sync.completed at the receiver', async () =>
        (await receivedBy(product.at)).find(
          ({ path, body }) => path === '/hooks/first' && body.includes('"sync.completed"'),
        ),
      )
      const envelope = JSON.parse(request.body)
      expect(Object.keys(envelope).sort()).toEqual(['created', 'data', 'id', 'type'])
      expect(envelope.data).toEqual({
        integration_id: product.at.integration_id,
        brand_slug: 'acme-casino',
        status: 'success',
        rows_ingested: 2,
        duration_ms: expect.any(Number),
      })

      const header = request.headers['x-service-signature'] as string
      const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) as unknown as [string, string, string]
      expect(createHmac('sha256', subscription.secret).update(`${t}.${request.body}`).digest('hex')).toBe(v1)
      const nowSeconds = Math.floor(Date.now() / 1_000)
      expect(
        verifyWebhook({ secret: subscription.secret, header, body: Buffer.from(request.body), nowSeconds }),
      ).toEqual({ ok: true })
      expect(request.headers['webhook-id']).toBe(envelope.id)

      const delivered = await deliveryWith(subscription.id, 'sync.completed', 'delivered')
      const { body } = await client(`/v1/deliveries/${delivered.id}`)
      expect(body).toMatchObject({
        event_id: envelope.id,
        status: 'delivered',
        epoch: 1,
        attempt: 1,
        attempts_total: 1,
      })
      expect(body.attempts).toHaveLength(1)
      expect(body.attempts[0]).toMatchObject({
        outcome: 'succeeded',
        response_status: 200,
        response_excerpt: expect.any(String),
      })
      expect(body.attempts[0].duration_ms).toBeGreaterThanOrEqual(0)
    })

    test('the stats show the sums of what was uploaded', async () => {
      const { status, body } = await client(
        `/v1/stats?from=2026-11-01&to=2026-11-02&metrics=clicks,ftds,deposits_amount&filter[integration]=${product.at.integration_id}`,
      )
      expect(status).toBe(200)
      expect(body.totals).toEqual([{ currency: 'EUR', clicks: 200, ftds: 5, deposits_amount: 36_550 }])
      const byDay = await client(
        `/v1/stats?from=2026-11-01&to=2026-11-02&metrics=clicks&group_by=day&filter[integration]=${product.at.integration_id}`,
      )
      expect(byDay.body.data.map((row: { day: string; clicks: number }) => [row.day, row.clicks])).toEqual([
        ['2026-11-01', 120],
        ['2026-11-02', 80],
      ])
    })

    test('the same file again changes nothing and says so', async () => {
      const done = await upload(csv)
      const run = await client(`/v1/sync-runs/${done.syncRunId}`)
      expect(run.body).toMatchObject({ rows_inserted: 0, rows_updated: 0, rows_unchanged: 2, rows_ingested: 2 })
    })
  })

  describe('a receiver that fails', () => {
    test('the delivery waits as retry with its next time; Retry delivers the same id and bytes at once', async () => {
      const subscription = await subscribe('/hooks/retry', ['sync.completed'])
      await controlReceiver(product.at, 'fail')
      await upload(csv.replace('120', '121'))
      const waiting = await deliveryWith(subscription.id, 'sync.completed', 'retry')
      expect(Date.parse(waiting.next_attempt as string)).toBeGreaterThan(Date.parse(waiting.created as string))
      await controlReceiver(product.at, 'ok')
      // The waiting retry may come first: then the replay is one of a delivered delivery, which is allowed as well.
      const retried = await eventually('the retry is accepted', async () => {
        const answer = await client(`/v1/deliveries/${waiting.id}/retry`, { method: 'POST' })
        return answer.status === 202 && answer
      })
      expect(retried.body).toMatchObject({ id: waiting.id })
      const delivery = await eventually('the replay is delivered', async () => {
        const { body } = await client(`/v1/deliveries/${waiting.id}`)
        return body.status === 'delivered' && body.epoch === 2 && body
      })
      const requests = (await receivedBy(product.at)).filter(
        ({ path, headers }) => path === '/hooks/retry' && headers['webhook-id'] === delivery.event_id,
      )
      expect(requests.length).toBeGreaterThanOrEqual(2)
      expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
    })

    test('six failures end in dead, and Retry works from there', async () => {
      const subscription = await subscribe('/hooks/dead', ['sync.completed'])
      await controlReceiver(product.at, 'down')
      await upload(csv.replace('120', '122'))
      const dead = await deliveryWith(subscription.id, 'sync.completed', 'dead')
      const { body } = await client(`/v1/deliveries/${dead.id}`)
      expect(body).toMatchObject({
        status: 'dead',
        dead_reason: 'attempts_exhausted',
        attempts_total: 6,
        next_attempt: null,
      })
      expect(
        body.attempts.map((attempt: { number: number; outcome: string }) => [attempt.number, attempt.outcome]),
      ).toEqual([1, 2, 3, 4, 5, 6].map((number) => [number, 'failed']))
      const letters = await client(`/v1/dead-letters?webhook_id=${subscription.id}`)
      expect(letters.body.data.map(({ id }: { id: string }) => id)).toEqual([dead.id])
      await controlReceiver(product.at, 'ok')
      expect((await client(`/v1/deliveries/${dead.id}/retry`, { method: 'POST' })).status).toBe(202)
      await deliveryWith(subscription.id, 'sync.completed', 'delivered')
    })
  })

  describe('bad input', () => {
    test.each([
      ['a wrong key', '/v1/webhooks', { key: 'wdk_live_wrong' }, 401, 'invalid_token'],
      ['no key', '/v1/webhooks', { key: null }, 401, 'unauthenticated'],
      ['an unknown id', '/v1/deliveries/dlv_00000000000000000000000000', {}, 404, 'not_found'],
      [
        'an unknown field',
        '/v1/webhooks',
        { json: { url: 'https://hooks.acme-media.com/', events: ['*'], colour: 1 } },
        422,
        'unknown_field',
      ],
      [
        'an unknown event type',
        '/v1/webhooks',
        { json: { url: 'https://hooks.acme-media.com/', events: ['sync.exploded'] } },
        422,
        'unknown_event_type',
      ],
      [
        'a refused address',
        '/v1/webhooks',
        { json: { url: 'https://169.254.169.254/', events: ['*'] } },
        422,
        'url_not_allowed',
      ],
      ['an unknown parameter', '/v1/integrations?colour=red', {}, 400, 'unknown_parameter'],
      [
        'no JSON',
        '/v1/webhooks',
        { text: '{', headers: { 'content-type': 'application/json' } },
        400,
        'malformed_json',
      ],
      ['a path that is not there', '/v1/nothing', {}, 404, 'not_found'],
    ])('%s gives the documented problem', async (_name, path, options, status, code) => {
      const answer = await client(path, options as object)
      expect([answer.status, answer.body.code]).toEqual([status, code])
      expect(answer.headers.get('content-type')).toContain('application/problem+json')
      expect(answer.body.type).toBe(`${product.at.base_url}/problems/${code}`)
    })

    test('a file without a known header stores nothing', async () => {
      const before = await client('/v1/imports')
      const answer = await uploadStats(client, product.at.integration_id, 'date,clicks,shoe_size\n2026-11-01,1,44\n')
      expect([answer.status, answer.body.code]).toEqual([422, 'unknown_column'])
      expect((await client('/v1/imports')).body.data).toHaveLength(before.body.data.length)
    })
  })

  describe('another workspace', () => {
    test("the operator makes one, and it finds nothing of the first one's", async () => {
      const made = await makeWorkspace(product, 'Acme')
      expect(made.id).toMatch(/^wsp_/)
      expect(made.id).not.toBe(product.at.workspace_id)
      const other = made.client
      expect((await other('/v1/webhooks')).body.data).toEqual([])
      const foreign = (await client('/v1/webhooks')).body.data[0].id
      for (const path of [`/v1/integrations/${product.at.integration_id}`, `/v1/webhooks/${foreign}`]) {
        const missing = await other(path.replace(/_[0-9A-Z]{26}/, '_00000000000000000000000000'))
        const answer = await other(path)
        expect([answer.status, { ...answer.body, instance: '' }]).toEqual([404, { ...missing.body, instance: '' }])
      }
    })
  })
})
