/** Integrations that pull the reports of the fake network, and moments of their runs at which a process can be killed. */
import type { FakeSource } from '@wds/fake-source/fake-source'
import { networkRows } from '@wds/fake-source/network'
import pg from 'pg'
import type { Client } from '../../harness/client.ts'
import { type HeldLock, holdLock } from '../../harness/held-lock.ts'
import { eventually } from '../../harness/standalone.ts'
import type { EffectHistory, SourceRow } from '../checkers/effect-checker.ts'

const dayMs = 86_400_000
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const columns = {
  csv: { date: 'Date', campaign: 'Campaign ID', country: 'Country', clicks: 'Clicks', ftds: 'FTD', ngr: 'Net Revenue' },
  json: {
    date: '/day',
    campaign: '/campaign/id',
    country: 'geo',
    clicks: '/counts/clicks',
    ftds: '/counts/ftd',
    ngr: '/money/net',
  },
}
const mappingOf = (names: Record<string, string>) => Object.entries(names).map(([to, from]) => ({ to, from }))

export interface PulledFeeds {
  ids: string[]
  window: { from: string; to: string }
  /** The network corrects its numbers, and each integration is told to read them. */
  pull(client: Client): Promise<void>
  /** Has the runs that are pulled next, while none is open, stand still: as a page is waited for, or as rows of all are made visible; until `release`. */
  amid(moment: 'reading' | 'applying'): Promise<HeldLock>
  /** Rows as the network shows them now. */
  shown(): EffectHistory['shown']
}

/** `adminUrl`: of the database of the api service, as superuser. */
export async function connectFeeds(source: FakeSource, o: { client: Client; adminUrl: string }): Promise<PulledFeeds> {
  const url = (report: string) => `${source.url}/open/${report}?from={from}&to={to}`
  const feeds = [
    {
      provider: 'http_csv',
      settings: { url: url('linked.csv'), pagination: 'link_header', mapping: mappingOf(columns.csv) },
    },
    {
      provider: 'http_json',
      settings: { url: url('linked.json'), pagination: 'link_header', mapping: mappingOf(columns.json) },
    },
  ]
  const ids: string[] = []
  for (const feed of feeds) {
    const json = {
      name: feed.provider,
      brand_slug: 'acme',
      schedule: null,
      currency: 'EUR',
      source_time_zone: 'UTC',
      ...feed,
    }
    const { status, body } = await o.client('/v1/integrations', { json })
    if (status !== 201) throw new Error(`a feed was refused: ${JSON.stringify(body)}`)
    ids.push(body.id)
  }
  let asOfMs = Date.now() - 10 * dayMs
  const window = { from: dayOf(asOfMs - 6 * dayMs), to: dayOf(asOfMs) }

  return {
    ids,
    window,
    async pull(client) {
      asOfMs += dayMs / 2
      source.setAsOf(asOfMs)
      for (const id of ids) {
        const { status, body } = await client(`/v1/integrations/${id}/sync-runs`, { json: { window } })
        if (status !== 202) throw new Error(`a run was refused: ${JSON.stringify(body)}`)
      }
    },
    async amid(moment) {
      if (moment === 'reading') {
        const before = source.requests.length
        source.setFault({ mode: 'hang', after: 1, times: 1 })
        const isAsked = async () => source.requests.length >= before + 2
        const reached = eventually('a page is waited for', isAsked).then(() => undefined)
        return { reached, release: async () => source.setFault(null) }
      }
      const lock = 'lock table api.stats_rows in share mode'
      return holdLock(o.adminUrl, { lock, waiting: ids.length, what: 'the runs make their rows visible' })
    },
    shown: () => {
      const rows = [...networkRows({ ...source.size, ...window, asOfMs })].map((row) => ({
        key: `${row.date} ${row.campaign} ${row.country}`,
        measures: { clicks: row.clicks, ftds: row.ftds, ngr: row.ngr },
      }))
      return new Map(ids.map((integrationId) => [integrationId, rows.map((row) => ({ integrationId, ...row }))]))
    },
  }
}

/** Waits until no run of the integration is open. */
export async function whenAtRest(client: Client, id: string): Promise<void> {
  await eventually(
    'the integration is at rest',
    async () => {
      const path = `/v1/integrations/${id}/sync-runs?status=queued,running,retry_wait`
      const { body } = await client(path)
      return body.data.length === 0
    },
    120_000,
  )
}

/** What the tables of the api service and the log hold. */
export async function readEffects(
  adminUrl: string,
): Promise<Pick<EffectHistory, 'conversions' | 'rows' | 'runs' | 'told'>> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    const ask = async <T>(sql: string) => (await admin.query(sql)).rows as T[]
    const rows = await ask<Record<string, string | null> & { integration_id: string }>(
      `select *, day::text as date from api.stats_rows where not deleted`,
    )
    const told = await ask<{ event_id: string; payload: Buffer }>(
      `select event_id, payload from log.records where topic = 'workspace.events'`,
    )
    return {
      conversions: await ask(
        `select integration_id as "integrationId", event, tx_id as "txId", amount::int from api.postback_conversions`,
      ),
      rows: rows.map(rowOf),
      runs: await ask(`select id, integration_id as "integrationId", status from api.sync_runs`),
      told: told.map(({ event_id: eventId, payload }) => ({ eventId, ...JSON.parse(payload.toString('utf8')) })),
    }
  } finally {
    await admin.end()
  }
}

function rowOf(row: Record<string, string | null> & { integration_id: string }): SourceRow {
  const { integration_id: integrationId, date, campaign_external_id: campaign, country } = row
  const names = ['clicks', 'ftds', 'ngr', 'deposits', 'deposits_amount']
  const measures = Object.fromEntries(names.map((name) => [name, row[name] == null ? null : Number(row[name])]))
  // Rows of postbacks may be of an hour; those of the network never are.
  const hour = row.hour === null ? '' : ` ${new Date(String(row.hour)).toISOString()}`
  return { integrationId, key: `${date} ${campaign} ${country}${hour}`, measures }
}
