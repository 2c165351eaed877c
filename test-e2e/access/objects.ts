/** One of everything that a path names, in the workspace of a credential. */

import { randomUUID } from 'node:crypto'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { smallestBody } from '@wds/http-service/smallest-body'
import { silentDayCsv } from '../harness/silent-day.ts'
import { eventually } from '../harness/standalone.ts'
import { type Service, scoped } from './routes.ts'

const creating = scoped.filter(({ method, path }) => method === 'POST' && !path.includes('{'))

/** `name`: of the integration. Days of stats become final soon. Gives their ids, by the folder of the path that they belong to. */
export async function makeObjects(
  urls: Record<Service, string>,
  token: string,
  { name }: { name: string },
): Promise<Record<string, string>> {
  const made: Record<string, string> = {}
  const call = async (service: Service, path: string, o: { body?: string; type?: string; key?: string } = {}) => {
    const headers = withoutUndefined<Record<string, string>>({
      authorization: `Bearer ${token}`,
      'content-type': o.body === undefined ? undefined : (o.type ?? 'application/json'),
      'idempotency-key': o.key,
    })
    const response = await fetch(`${urls[service]}${path}`, {
      method: o.body === undefined ? 'GET' : 'POST',
      headers,
      body: o.body ?? null,
    })
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the API answered
    const json = (await response.json()) as any
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(json)}`)
    return json
  }
  const webhook = { url: 'http://127.0.0.1:9/', events: ['*'] }
  made.webhooks = (await call('delivery', '/v1/webhooks', { body: JSON.stringify(webhook) })).id
  const integration = { name, brand_slug: 'acme', provider: 'csv_upload' }
  made.integrations = (await call('api', '/v1/integrations', { body: JSON.stringify(integration) })).id
  const plan = JSON.stringify({ name: 'Standard', type: 'revshare', revshare_bps: 3_000 })
  made['commission-plans'] = (await call('api', '/v1/commission-plans', { body: plan })).id
  // A filter names it plan_id.
  made.plans = made['commission-plans'] ?? ''
  const jane = { name: 'Jane', email: 'jane@example.com', payout_currency: 'EUR', invite: false }
  const subAffiliate = JSON.stringify({ ...jane, plan_id: made.plans })
  made['sub-affiliates'] = (await call('api', '/v1/sub-affiliates', { body: subAffiliate })).id
  // In a month that is closed once the day below is final.
  const earned = JSON.stringify({ amount: 500, month: '2026-01' })
  const adjustments = `/v1/sub-affiliates/${made['sub-affiliates']}/adjustments`
  await call('api', adjustments, { body: earned, key: 'earned' })
  const csv = { type: 'text/csv', body: 'date,clicks\n2026-01-01,3\n' }
  made.imports = (await call('api', `/v1/imports?type=stats&integration_id=${made.integrations}`, csv)).id
  const firstOf = (folder: string, service: Service, path: string) =>
    eventually(`there is one of ${folder}`, async () => {
      const [first] = (await call(service, path)).data
      made[folder] = first?.id
      return first
    })
  const day = await eventually('there is a day of stats', () => call('api', '/v1/stats/days/2026-01-01'))
  made.stats = day.date
  const invoice = { brand_slug: 'acme', period: { from: '2026-01-01', to: '2026-01-01' }, currency: 'EUR' }
  made.invoices = (await call('api', '/v1/invoices', { body: JSON.stringify(invoice) })).id
  const payout = JSON.stringify({ sub_affiliate_id: made['sub-affiliates'] })
  const { id: payoutId } = await eventually('the month is closed, and what was earned in it may be paid', () =>
    call('api', '/v1/payouts', { body: payout, key: `payout ${randomUUID()}` }),
  )
  made.payouts = payoutId
  const exported = { type: 'stats', format: 'csv', query: { from: '2026-01-01', to: '2026-01-01' } }
  made.exports = (await call('api', '/v1/exports', { body: JSON.stringify(exported) })).id
  made.brands = `silent-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`
  const silent = { name: 'Silent', brand_slug: made.brands, provider: 'csv_upload' }
  const { id: silentId } = await call('api', '/v1/integrations', { body: JSON.stringify(silent) })
  await call('api', `/v1/imports?type=stats&integration_id=${silentId}`, { type: 'text/csv', body: silentDayCsv() })
  await firstOf('anomalies', 'api', '/v1/anomalies')
  // It fires at once: the silent brand had clicks in these days.
  const rule = {
    name: 'Told',
    trigger: { type: 'schedule', every_minutes: 60 },
    subject_type: 'brand',
    window: 'last_7d',
  }
  const conditions = [{ metric: 'clicks', op: 'gte', value: 1 }]
  const actions = [{ type: 'notify_webhook' }]
  const saved = JSON.stringify({ ...rule, conditions, actions })
  made['automation-rules'] = (await call('api', '/v1/automation-rules', { body: saved })).id
  await firstOf('firings', 'api', `/v1/automation-rules/${made['automation-rules']}/firings`)
  await firstOf('sync-runs', 'api', `/v1/sync-runs?integration_id=${made.integrations}`)
  made.events = (await firstOf('deliveries', 'delivery', `/v1/webhooks/${made.webhooks}/deliveries`)).event_id
  // Once its first attempt has failed.
  const selection = JSON.stringify({ delivery_ids: [made.deliveries] })
  const { id } = await eventually('a delivery is replayed', () =>
    call('delivery', `/v1/webhooks/${made.webhooks}/replays`, { body: selection }),
  )
  made.replays = id
  // All else needs no more than its smallest body, as campaigns do.
  for (const { path, service, document, body } of creating) {
    const folder = path.slice('/v1/'.length)
    const schema = body?.content['application/json']
    const isNamed = scoped.some((other) => other.path.startsWith(`${path}/{`))
    if (made[folder] !== undefined || schema === undefined || !isNamed) continue
    const smallest = smallestBody(document, schema, { integration_id: made.integrations })
    made[folder] = (await call(service, path, { body: JSON.stringify(smallest) })).id
  }
  return made
}
