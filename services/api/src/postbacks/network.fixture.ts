// An affiliate network as tests need it: integrations of postbacks, what it sends, runs and the sums that are in the stats.
import type { Answer, Fixture } from '../api-service.fixture.ts'

const dayMs = 86_400_000
export const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
export const nobody = { authorization: '' }
export const pathOf = (url: unknown) => new URL(String(url)).pathname

export interface Made {
  id: string
  /** Path of its address. */
  path: string
}

export function networkOf(fixture: () => Fixture) {
  let serial = 0
  const network = {
    async connect(extra: object = {}, as: 'a' | 'b' = 'a'): Promise<Made> {
      const json = { name: 'Network', brand_slug: 'acme', provider: 'postback', ...extra }
      const { status, text, body } = await fixture().call('POST', '/v1/integrations', { json, as })
      if (status !== 201) throw new Error(`an integration was refused: ${text}`)
      return { id: String(body.id), path: pathOf(body.postback_url) }
    },
    get(path: string, parameters: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
      return fixture().call('GET', `${path}?${new URLSearchParams(parameters)}`, { headers: { ...nobody, ...headers } })
    },
    /** One of its own. */
    click: () => ({ event: 'click', tx_id: `c${serial++}` }),
    async run(id: string): Promise<Record<string, unknown>> {
      const started = await fixture().call('POST', `/v1/integrations/${id}/sync-runs`, { json: {} })
      if (started.status !== 202) throw new Error(`a run was refused: ${started.text}`)
      await fixture().work()
      return (await fixture().call('GET', `/v1/sync-runs/${started.body.id}`)).body
    },
    /** The sums of an integration over the last two months, by metric. */
    async sums(id: string, metrics: string): Promise<Record<string, unknown>> {
      const [from, to] = [dateOf(Date.now() - 60 * dayMs), dateOf(Date.now())]
      const range = `from=${from}&to=${to}&metrics=${metrics}`
      const { body } = await fixture().call('GET', `/v1/stats?${range}&filter[integration]=${id}`)
      const [row = {}] = body.data as Record<string, unknown>[]
      return Object.fromEntries(metrics.split(',').map((metric) => [metric, row[metric] ?? null]))
    },
    /** As if conversions and fold were older. */
    async age(id: string, o: { occurredDays?: number; receivedHours: number; foldedHours: number }): Promise<void> {
      const admin = fixture().adminPool
      await admin.query('alter table api.postback_conversions disable trigger all')
      const older = (column: string) =>
        `set ${column} = ${column} - make_interval(hours => $2) where integration_id = $1`
      await admin.query(`update api.postback_conversions ${older('occurred')}`, [id, 24 * (o.occurredDays ?? 0)])
      await admin.query(`update api.postback_conversions ${older('received')}`, [id, o.receivedHours])
      await admin.query(`update api.postback_folds ${older('folded')}`, [id, o.foldedHours])
      await admin.query('alter table api.postback_conversions enable trigger all')
    },
  }
  return network
}
