/** What a workspace's numbers cost: sums over 30 days beside 1 million rows, and the rollup of a day of 100,000 rows. */
import { type ApiPlace, dateAgo, startApiPlace } from '../api-place.ts'
import { rounded } from '../statistics.ts'
import { atMost, type Line, type Measure, type MeasureContext, spread } from './measure.ts'

/** A year of days with 274 campaigns in 10 countries. More rows are more hours of each day. */
const rowsOfYear = 1_000_000
const rowsOfLargeDay = 100_000
const queryMaxMs = (rows: number) => (rows > rowsOfYear ? 600 : 300)
const rollupMaxMs = 5_000

/** Rows of one day after the other, each with its own campaign and one of 10 countries; of as many hours of the day, null for rows of whole days. */
async function makeRows(
  place: ApiPlace,
  o: { rows: number; perDay: number; before: number; hours: number | null },
): Promise<void> {
  await place.admin.query(
    `insert into api.stats_rows (workspace_id, integration_id, row_key, day, hour, workspace_day, approximate, brand_slug,
       campaign_external_id, country, currency, clicks, signups, ftds, deposits_amount, ngr, cpa_commission, revshare_commission,
       row_hash, run_seq)
     select $1, $2, 'made-' || $6 || '-' || n || '-' || coalesce(h, 0), d, d::timestamp at time zone 'UTC' + h * interval '1 hour', d, false, 'acme', 'c' || (n % $4) / 10, (array['DE','SE','CA','FI','NO','FR','IT','ES','AT','CH'])[1 + n % 10],
       'EUR', n % 500, n % 40, n % 9, n * 7 % 100000, n * 13 % 50000, n * 3 % 9000, n * 5 % 7000, decode(md5(n::text), 'hex'), 1
     from generate_series(0, $3 - 1) n, unnest($7::integer[]) h, lateral (select $5::date - (n / $4)::integer as d) days`,
    [
      ...[place.workspaceId, place.integrationId, o.rows, o.perDay, dateAgo(o.before), String(o.before)],
      o.hours === null ? [null] : Array.from({ length: o.hours }, (_, hour) => hour),
    ],
  )
}

/** Sub-affiliates with entries of the ledger, campaigns each has some of on each day. */
const [subAffiliates, campaignsOfEach, costDays] = [100, 27, 30]
const ledgerEntries = subAffiliates * campaignsOfEach * costDays

/** Entries of the ledger of the days before that one, of campaigns that the rows name. */
async function makeCosts(
  { admin, workspaceId, integrationId }: Pick<ApiPlace, 'admin' | 'workspaceId' | 'integrationId'>,
  before: number,
): Promise<void> {
  const made = "1, 'active', '{}', now(), now()"
  const common = [workspaceId]
  await admin.query(
    `insert into api.commission_plans (workspace_id, id, version, status, state, created, updated) values ($1, 'pln_made', ${made})`,
    common,
  )
  await admin.query(
    `insert into api.sub_affiliates (workspace_id, id, plan_id, external_id, version, status, state, created, updated)
     select $1, 'sub_made' || s, 'pln_made', 's' || s, ${made} from generate_series(1, $2::integer) s`,
    [...common, subAffiliates],
  )
  await admin.query(
    `insert into api.campaigns (workspace_id, id, integration_id, external_id, brand_slug, tags, version, status, state, created, updated)
     select $1, 'cmp_made' || c, $2, 'c' || c, 'acme', '{}', ${made} from generate_series(0, 273) c`,
    [...common, integrationId],
  )
  await admin.query(
    `insert into api.ledger_entries (workspace_id, id, sub_affiliate_id, number, kind, amount, currency, day, integration_id, campaign_id,
       row_currency, row_amount, stats_revision, terms, month, source, source_id, balance_after)
     select $1, 'led_made' || of, 'sub_made' || s, 0, 'accrual', 7 + s, 'EUR', d, $2, 'cmp_made' || c, 'EUR', 7 + s, 1, '{}',
       to_char(d, 'YYYY-MM'), 'made', of, 0
     from generate_series(1, $3::integer) s, generate_series(0, $4::integer - 1) k, generate_series(0, $5::integer - 1) ago,
       lateral (select $6::date - ago as d, (s + 10 * k) % 274 as c) rows_of, lateral (select s || '-' || c || '-' || d as of) named`,
    [...common, integrationId, subAffiliates, campaignsOfEach, costDays, dateAgo(before)],
  )
  await admin.query('vacuum analyze api.ledger_entries')
}

/** Makes the days due at once and waits until none is. */
async function rollUp(place: ApiPlace, days: { from: string; to: string }): Promise<number> {
  const { workspaceId } = place
  const startMs = performance.now()
  await place.admin.query(
    `insert into api.stats_day_work (workspace_id, day, due, changed, pending_since)
     select $1, d::date, now(), now() - interval '7 hours', now() - interval '7 hours' from generate_series($2::date, $3::date, '1 day') d`,
    [workspaceId, days.from, days.to],
  )
  for (let left = 1; left > 0; ) {
    const { rows } = await place.admin.query<{ left: number }>(
      'select count(*)::integer as left from api.stats_day_work where workspace_id = $1 and day between $2 and $3',
      [workspaceId, days.from, days.to],
    )
    left = rows[0]?.left ?? 0
    if (performance.now() - startMs > 600_000) throw new Error('the days were not rolled up in 10 minutes')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return performance.now() - startMs
}

/** Milliseconds of each answer for `seconds`, sorted, after three that are dropped. */
async function askFor(place: ApiPlace, path: string, seconds: number): Promise<number[]> {
  const times: number[] = []
  const endMs = performance.now() + seconds * 1_000
  for (let nth = -3; nth < 20 || performance.now() < endMs; nth += 1) {
    const fromMs = performance.now()
    await place.call(path)
    if (nth >= 0) times.push(performance.now() - fromMs)
  }
  return times.sort((a, b) => a - b)
}

/** Queries of the neighbour under way at a time: far more than its share of the connections. */
const heavyQueries = 20

/**
 * What another workspace waits for a list while this one asks for sums of a year again and again, 20 at a time: its connections are shared
 * (decision 26), the processors are not.
 */
async function askBeside(
  place: ApiPlace,
  seconds: number,
): Promise<{ alone: number[]; beside: number[]; heavy: number }> {
  const { apiKey } = await place.rig.addTenant([])
  const call: ApiPlace['call'] = async (path) => {
    const headers = { authorization: `Bearer ${apiKey}` }
    const response = await fetch(`${place.rig.services.api.url}${path}`, { headers })
    if (!response.ok) throw new Error(`${path} is ${response.status}: ${await response.text()}`)
    return (await response.json()) as Record<string, unknown>
  }
  const other = { ...place, call }
  const alone = await askFor(other, '/v1/integrations', seconds)
  const query = `/v1/stats?from=${dateAgo(366)}&to=${dateAgo(2)}&group_by=campaign,country`
  let [isOver, heavy] = [false, 0]
  // Some of them are ended after 5 s (503): that is their bound.
  const askOn = async () => {
    while (!isOver) {
      await place.call(query).catch(() => undefined)
      heavy += 1
    }
  }
  const asking = Array.from({ length: heavyQueries }, askOn)
  const beside = await askFor(other, '/v1/integrations', seconds)
  isOver = true
  await Promise.all(asking)
  return { alone, beside, heavy }
}

function lineOf(measure: string, times: readonly number[], maxMs: number): Line {
  const p99 = times[Math.min(times.length - 1, Math.floor(times.length * 0.99))] ?? Number.NaN
  const range: [number, number] = [rounded(spread(times).median, 1), rounded(times.at(-1) ?? Number.NaN, 1)]
  return { measure: `${measure}: p99`, value: rounded(p99, 1), unit: 'ms', range, floor: atMost(p99, maxMs) }
}

/** Bytes on disk for each row, indexes included. */
async function sizeOf(place: ApiPlace, table: string): Promise<Line> {
  const { rows } = await place.admin.query<{ size: number }>(
    `select (pg_total_relation_size('api.${table}') / greatest(1, count(*)))::integer as size from api.${table}`,
  )
  return { measure: `a row of ${table}`, value: rows[0]?.size ?? Number.NaN, unit: 'bytes' }
}

async function run(context: MeasureContext): Promise<Line[]> {
  const place = await startApiPlace(context)
  const { admin } = place
  try {
    // A year of days, of which the last 30 before yesterday are asked for.
    const perDay = Math.ceil(rowsOfYear / 365)
    const hours = context.rows === rowsOfYear ? null : context.rows / rowsOfYear
    context.say(
      `making ${context.rows.toLocaleString('en')} rows of 365 days, and a day of ${rowsOfLargeDay.toLocaleString('en')}`,
    )
    await makeRows(place, { rows: rowsOfYear, perDay, before: 2, hours })
    await makeRows(place, { rows: rowsOfLargeDay, perDay: rowsOfLargeDay, before: 400, hours: null })
    await admin.query('vacuum analyze api.stats_rows')
    const query = `/v1/stats?from=${dateAgo(31)}&to=${dateAgo(2)}&group_by=day,country`
    const fresh = await askFor(place, query, context.seconds)
    const large = await rollUp(place, { from: dateAgo(400), to: dateAgo(400) })
    const year = await rollUp(place, { from: dateAgo(366), to: dateAgo(2) })
    await admin.query('vacuum analyze api.stats_rollups')
    const final = await askFor(place, query, context.seconds)
    const byCampaign = await askFor(place, query.replace('day,country', 'campaign,country'), context.seconds)
    const rates = Array.from({ length: 40 }, (_, at) => `${dateAgo(at)},EUR,USD,1.${1_000 + at}`)
    await place.upload('fx_rates', ['date,base,quote,rate', ...rates, ''].join('\n'))
    const converted = await askFor(
      place,
      `${query.replace('day,country', 'campaign,country')}&currency=USD`,
      context.seconds,
    )
    context.say(`making ${ledgerEntries.toLocaleString('en')} entries of the ledger of these days`)
    await makeCosts(place, 2)
    const byBrand = `${query.replace('day,country', 'campaign,brand')}&metrics=commission`
    const withoutCosts = await askFor(place, byBrand, context.seconds)
    const withCosts = await askFor(place, `${byBrand},sub_affiliate_cost,margin`, context.seconds)
    const costsConverted = await askFor(place, `${byBrand},sub_affiliate_cost,margin&currency=USD`, context.seconds)
    const { alone, beside, heavy } = await askBeside(place, context.seconds)
    context.say(`${heavy} queries of a year were answered or ended beside the other workspace's lists`)
    const meta = (await place.call(query)).meta as { is_final: boolean }
    if (!meta.is_final) throw new Error('the days did not become final')
    const maxMs = queryMaxMs(context.rows)
    return [
      lineOf('30 days by 2 dimensions, days not final', fresh, maxMs),
      lineOf('30 days by 2 dimensions, final days', final, maxMs),
      lineOf('30 days by campaign and country, final days', byCampaign, maxMs),
      lineOf('the same converted to another currency', converted, maxMs),
      lineOf('30 days by campaign and brand, final days', withoutCosts, maxMs),
      lineOf(`the same with costs of ${ledgerEntries.toLocaleString('en')} entries of the ledger`, withCosts, maxMs),
      lineOf('the same with costs, converted', costsConverted, maxMs),
      lineOf('a list of another workspace', alone, maxMs),
      lineOf(`the same beside ${heavyQueries} queries of a year at a time`, beside, maxMs),
      {
        measure: `rollup of a day of ${rowsOfLargeDay.toLocaleString('en')} rows`,
        value: rounded(large),
        unit: 'ms',
        floor: atMost(large, rollupMaxMs),
      },
      {
        measure: `rollup of 365 days of ${(perDay * (hours ?? 1)).toLocaleString('en')} rows`,
        value: rounded(year),
        unit: 'ms',
      },
      await sizeOf(place, 'stats_rows'),
      await sizeOf(place, 'stats_rollups'),
    ]
  } finally {
    await place.stop()
  }
}

export const stats: Measure = {
  name: 'stats',
  meaning:
    'sums over 30 days beside the rows of a year (--rows, 1 to 10 million), before and after they are final; the rollup of a large day',
  run,
}
