/** What a long history costs: deliveries beside it, and beside none, in turn; pages and filters of the lists at that size. */
import { makeHistory } from '../history-rows.ts'
import { type Rig, startRig } from '../rig.ts'
import { rounded } from '../statistics.ts'
import { measureWindow } from './deliveries.ts'
import { atMost, type Line, type Measure, type MeasureContext, spread } from './measure.ts'

const readsMs = 100
const reads = 7

/** Milliseconds of the median GET, after one that is dropped; gives the last answer as well. */
async function timeOf(rig: Rig, path: string): Promise<{ ms: number; body: Body }> {
  const times: number[] = []
  let body: Body = { data: [], next_cursor: null }
  for (let nth = 0; nth <= reads; nth += 1) {
    const fromMs = performance.now()
    const response = await fetch(`${rig.services.delivery.url}${path}`, {
      headers: { authorization: `Bearer ${rig.tenants[0]?.apiKey}` },
    })
    const text = await response.text()
    if (nth > 0) times.push(performance.now() - fromMs)
    if (response.status !== 200) throw new Error(`${path} is ${response.status}: ${text}`)
    body = JSON.parse(text) as Body
  }
  return { ms: spread(times).median, body }
}

interface Body {
  data: { id: string; event_id: string }[]
  next_cursor: string | null
}

/** Goes on so many pages. */
async function deepPage(rig: Rig, path: string, pages: number): Promise<string> {
  let at = path
  for (let nth = 0; nth < pages; nth += 1) {
    const response = await fetch(`${rig.services.delivery.url}${at}`, {
      headers: { authorization: `Bearer ${rig.tenants[0]?.apiKey}` },
    })
    const { next_cursor: next } = (await response.json()) as Body
    if (next === null) return at
    at = `${path}&cursor=${next}`
  }
  return at
}

async function listLines(rig: Rig): Promise<Line[]> {
  const { body } = await timeOf(rig, '/v1/webhooks?limit=1')
  const history = `/v1/webhooks/${body.data[0]?.id}/deliveries?limit=100`
  const [{ event_id: eventId } = { event_id: '' }] = (await timeOf(rig, history)).body.data
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const period = `since=${ago(16)}&until=${ago(15)}`
  const paths: [string, string][] = [
    ['history: first page', history],
    ['history: page 50', await deepPage(rig, history, 49)],
    ['history: failed', `${history}&status=failed`],
    ['history: a type that matches nothing', `${history}&type=invoice.paid`],
    ['history: a period', `${history}&${period}`],
    ['history: an event', `${history}&event_id=${eventId}`],
    ['dead letters: first page', '/v1/dead-letters?limit=100'],
    ['dead letters: page 20', await deepPage(rig, '/v1/dead-letters?limit=100', 19)],
    ['dead letters: a class that matches nothing', '/v1/dead-letters?limit=100&error_code=timeout'],
    ['dead letters: causes', '/v1/dead-letters/causes'],
    ['events: first page', '/v1/events?limit=100'],
    ['events: page 50', await deepPage(rig, '/v1/events?limit=100', 49)],
    ['events: a pattern that matches nothing', '/v1/events?limit=100&type=invoice.*'],
    ['events: a period', `/v1/events?limit=100&${period}`],
    ['statistics: 7 days by hour', `/v1/deliveries/statistics?since=${ago(6.9)}`],
    ['statistics: 30 days by day', '/v1/deliveries/statistics?interval=day'],
  ]
  const lines: Line[] = []
  for (const [name, path] of paths) {
    const { ms } = await timeOf(rig, path)
    lines.push({ measure: name, value: rounded(ms, 1), unit: 'ms', floor: atMost(ms, readsMs) })
  }
  return lines
}

/** Bytes on disk, indexes included: of an event of a kilobyte, and of a delivery with its log of two rows. */
export async function sizeLines(rig: Rig): Promise<Line[]> {
  const sizeOf = (table: string) =>
    `(select sum(pg_total_relation_size(relid)) from pg_partition_tree('delivery.${table}') where isleaf)`
  const { rows } = await rig.admin.query<{ event: number; delivery: number }>(
    `select (${sizeOf('events')} / (select count(*) from delivery.events))::integer as event,
       ((${['deliveries', 'delivery_log', 'dead_deliveries'].map(sizeOf).join(' + ')})
         / (select count(*) from delivery.deliveries))::integer as delivery`,
  )
  const line = (measure: string, value = Number.NaN): Line => ({ measure, value, unit: 'bytes' })
  return [line('on disk: an event', rows[0]?.event), line('on disk: a delivery', rows[0]?.delivery)]
}

/** CPU of a delivery, µs: the service and its database. */
const costOf = ({ cpu }: { cpu: Record<string, number> }): number => (cpu.delivery ?? 0) + (cpu.postgres ?? 0)

async function run(context: MeasureContext): Promise<Line[]> {
  const load = { ...context, tenants: 10, subscriptions: 10, events: ['sync.*'] }
  const empty = await startRig(load)
  try {
    const full = await startRig(load)
    try {
      const workspaceIds = full.tenants.map(({ workspaceId }) => workspaceId)
      await makeHistory({ ...context, admin: full.admin, workspaceIds })
      const [growth, costs, rates]: [number[], number[], number[]] = [[], [], []]
      for (let nth = 0; nth <= context.repetitions; nth += 1) {
        const without = await measureWindow(empty, context.seconds)
        const beside = await measureWindow(full, context.seconds)
        const dropped = nth === 0 ? ' (dropped)' : ''
        context.say(`history: ${rounded(costOf(beside))} µs a delivery, without ${rounded(costOf(without))}${dropped}`)
        if (nth === 0) continue
        growth.push(100 * (costOf(beside) / costOf(without) - 1))
        costs.push(costOf(beside))
        rates.push((100 * beside.rate) / without.rate)
      }
      const [grown, cost, rate] = [spread(growth), spread(costs), spread(rates)]
      return [
        {
          measure: `CPU per delivery beside ${context.deliveries.toLocaleString('en')}: growth`,
          value: rounded(grown.median, 1),
          unit: '%',
          range: grown.range,
          floor: atMost(grown.median, 10),
        },
        { measure: 'CPU per delivery: delivery and postgres', value: rounded(cost.median), unit: 'µs' },
        { measure: 'rate, of that without', value: rounded(rate.median), unit: '%', range: rate.range },
        ...(await listLines(full)),
        ...(await sizeLines(full)),
      ]
    } finally {
      await full.stop()
    }
  } finally {
    await empty.stop()
  }
}

export const history: Measure = {
  name: 'history',
  meaning:
    'deliveries beside a month of them (--deliveries, 1 to 10 million) and beside none, in turn; the lists at that size',
  run,
}
