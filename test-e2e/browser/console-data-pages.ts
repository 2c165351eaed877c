// The pages about numbers, and what they need to have something to show: a file with a rejected row, a source that refuses.
import { uploadStats } from '../harness/client.ts'
import { silentDayCsv } from '../harness/silent-day.ts'
import { eventually } from '../harness/standalone.ts'
import type { ConsolePage } from './console-page.ts'
import type { ConsoleRig } from './console-rig.ts'

interface DataSeed {
  /** Id of an integration that is broken. */
  broken: string
  /** Ids of the run of a file with a rejected row, and of its import. */
  upload: string
  file: string
}

const seeds = new WeakMap<ConsoleRig, Promise<DataSeed>>()

function seedData(rig: ConsoleRig): Promise<DataSeed> {
  const known = seeds.get(rig) ?? makeData(rig)
  seeds.set(rig, known)
  return known
}

async function makeData({ at, client }: ConsoleRig): Promise<DataSeed> {
  const failures = { every_runs: 1, attempts: 1, code: 'access_denied' }
  const json = { name: 'Northern Bets', provider: 'demo', brand_slug: 'northern-bets', settings: { failures } }
  const broken = (await client('/v1/integrations', { json })).body.id as string
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const csv = `date,campaign,clicks,ftds\n${day},summer,120,3\n${day},winter,many,1\n`
  const { body } = await uploadStats(client, at.integration_id, csv)
  let upload = ''
  await eventually('the file is read', async () => {
    const { body: now } = await client(`/v1/imports/${body.id}`)
    upload = now.sync_run_id ?? ''
    return now.status === 'completed_with_errors'
  })
  await eventually('the source has refused', async () => {
    const { body: now } = await client(`/v1/integrations/${broken}`)
    return now.status === 'broken'
  })
  return { broken, upload, file: body.id }
}

const networks = new WeakMap<ConsoleRig, Promise<string>>()

/** Id of an integration that a network calls. */
function seedPostbacks(rig: ConsoleRig): Promise<string> {
  const known = networks.get(rig) ?? makeNetwork(rig)
  networks.set(rig, known)
  return known
}

async function makeNetwork({ client }: ConsoleRig): Promise<string> {
  const settings = { parameter_map: { tx_id: 'click_id', amount: 'payout' } }
  const json = { name: 'Network', provider: 'postback', brand_slug: 'northern-bets', settings }
  return (await client('/v1/integrations', { json })).body.id as string
}

const anomalies = new WeakMap<ConsoleRig, Promise<string>>()

/** The id of an anomaly; the days of the rig become final soon. */
export function seedAnomaly(rig: ConsoleRig): Promise<string> {
  const known = anomalies.get(rig) ?? makeAnomaly(rig)
  anomalies.set(rig, known)
  return known
}

async function makeAnomaly({ client }: ConsoleRig): Promise<string> {
  const json = { name: 'Silent since yesterday', provider: 'csv_upload', brand_slug: 'silent-slots' }
  const { body } = await client('/v1/integrations', { json })
  await uploadStats(client, body.id, silentDayCsv())
  return await eventually('the anomaly is found', async () => {
    const { body: list } = await client('/v1/anomalies?brand=silent-slots')
    return list.data[0]?.id as string | undefined
  })
}

const campaigns = new WeakMap<ConsoleRig, Promise<{ agreed: string; archived: string }>>()

/** Ids of a campaign with a deal, and of one that is archived. */
export function seedCampaigns(rig: ConsoleRig): Promise<{ agreed: string; archived: string }> {
  const known = campaigns.get(rig) ?? makeCampaigns(rig)
  campaigns.set(rig, known)
  return known
}

async function makeCampaigns({ at, client }: ConsoleRig): Promise<{ agreed: string; archived: string }> {
  const place = { integration_id: at.integration_id, tags: ['seo', 'germany'], countries: ['DE', 'AT'] }
  const days = { starts: '2026-01-01', ends: '2026-12-31', tracking_url: 'https://go.example/autumn?sub={sub_id}' }
  const cpa = { amount: 12_000, currency: 'EUR' }
  const baseline = { min_deposit: { amount: 2_000, currency: 'EUR' }, wagering_x: 3 }
  const deal = { type: 'hybrid', cpa, revshare_bps: 2_500, baseline, negative_carryover: true }
  const make = async (json: object) => (await client('/v1/campaigns', { json })).body.id as string
  const agreed = await make({ ...place, ...days, name: 'Autumn reviews', external_id: 'autumn-26', deal })
  const archived = await make({ ...place, ...days, name: 'Two summers ago', external_id: 'summer-24' })
  await client(`/v1/campaigns/${archived}/archive`, { method: 'POST' })
  return { agreed, archived }
}

const rules = new WeakMap<ConsoleRig, Promise<string>>()

/** Id of a rule that has fired, and of whose actions one failed. */
export function seedRule(rig: ConsoleRig): Promise<string> {
  const known = rules.get(rig) ?? makeRule(rig)
  rules.set(rig, known)
  return known
}

async function makeRule(rig: ConsoleRig): Promise<string> {
  const { at, client } = rig
  await seedData(rig)
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const query = `from=${day(7)}&to=${day(1)}&metrics=clicks&filter[integration]=${at.integration_id}`
  // A rule looks when it is saved, and 5 minutes later: a day that was final before is restated by then.
  await eventually('the clicks are there', async () => {
    const { body: stats } = await client(`/v1/stats?${query}`)
    return stats.data[0]?.clicks >= 100
  })
  const json = {
    name: 'Sync what has clicks',
    trigger: { type: 'schedule', every_minutes: 5 },
    window: 'last_7d',
    subject_type: 'integration',
    scope: { integration_ids: [at.integration_id] },
    min_sample: { clicks: 10 },
    conditions: [{ metric: 'clicks', op: 'gte', value: 100 }],
    // Nothing can be fetched for files that are uploaded.
    actions: [{ type: 'notify_webhook' }, { type: 'trigger_sync' }],
  }
  const { status, body } = await client('/v1/automation-rules', { json })
  if (status !== 201) throw new Error(`a rule was refused: ${status} ${JSON.stringify(body)}`)
  await eventually('the rule has fired', async () => {
    const { body: list } = await client(`/v1/automation-rules/${body.id}/firings`)
    return list.data[0] !== undefined
  })
  return body.id
}

const exportsMade = new WeakMap<ConsoleRig, Promise<void>>()

/** Two files of stats that are ready. */
function seedExports(rig: ConsoleRig): Promise<void> {
  const known = exportsMade.get(rig) ?? makeExports(rig)
  exportsMade.set(rig, known)
  return known
}

async function makeExports({ client }: ConsoleRig): Promise<void> {
  const [from, to] = [29, 0].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10))
  const ask = (group_by: string[], rest: object) =>
    client('/v1/exports', { json: { type: 'stats', query: { from, to, group_by }, ...rest } })
  await ask(['brand', 'day'], { format: 'csv' })
  await ask(['campaign'], { format: 'ndjson', compression: 'gzip' })
  await eventually('both files are made', async () => {
    const { body } = await client('/v1/exports?status=queued,running')
    return body.data.length === 0
  })
}

export const dataPages: readonly ConsolePage[] = [
  { name: 'integrations', path: 'integrations', heading: 'Integrations' },
  { name: 'integrations-none', path: 'integrations?status=paused', heading: 'Integrations' },
  { name: 'integration-new', path: 'integrations/new?provider=demo', heading: 'Add integration' },
  {
    name: 'integration-broken',
    path: async (rig) => `integrations/${(await seedData(rig)).broken}`,
    heading: 'Northern Bets',
  },
  {
    name: 'integration-settings',
    path: async (rig) => `integrations/${(await seedData(rig)).broken}/settings`,
    heading: 'Northern Bets',
  },
  {
    name: 'integration-postback',
    path: async (rig) => `integrations/${await seedPostbacks(rig)}`,
    heading: 'Network',
  },
  {
    name: 'integration-upload',
    path: async ({ at }) => `integrations/${at.integration_id}`,
    heading: 'Sample upload',
  },
  { name: 'syncs', path: async (rig) => (await seedData(rig)) && 'syncs', heading: 'Syncs' },
  { name: 'syncs-none', path: 'syncs?status=canceled', heading: 'Syncs' },
  // A drawer hides the page behind it.
  { name: 'sync-run', path: async (rig) => `syncs/${(await seedData(rig)).upload}`, heading: null },
  {
    name: 'stats',
    path: async (rig) => (await seedData(rig)) && 'stats?days=7&compare=previous_period',
    heading: 'Stats',
  },
  { name: 'stats-none', path: 'stats?brand=nobody', heading: 'Stats' },
  { name: 'anomalies-empty', path: 'anomalies?metric=ngr', heading: 'Anomalies' },
  { name: 'anomalies', path: async (rig) => (await seedAnomaly(rig)) && 'anomalies', heading: 'Anomalies' },
  { name: 'anomaly', path: async (rig) => `anomalies/${await seedAnomaly(rig)}`, heading: null },
  { name: 'automation-rules-empty', path: 'automation-rules', heading: 'Automation rules' },
  { name: 'automation-rule-new', path: 'automation-rules/new', heading: 'New rule' },
  {
    name: 'automation-rules',
    path: async (rig) => (await seedRule(rig)) && 'automation-rules',
    heading: 'Automation rules',
  },
  { name: 'automation-rules-none', path: 'automation-rules?enabled=false', heading: 'Automation rules' },
  {
    name: 'automation-rule',
    path: async (rig) => `automation-rules/${await seedRule(rig)}`,
    heading: 'Sync what has clicks',
  },
  { name: 'imports-none', path: 'imports?status=canceled', heading: 'Imports' },
  { name: 'imports', path: async (rig) => (await seedData(rig)) && 'imports', heading: 'Imports' },
  { name: 'import', path: async (rig) => `imports/${(await seedData(rig)).file}`, heading: 'Stats of Sample upload' },
  { name: 'import-new', path: 'imports/new', heading: 'Upload a file' },
  { name: 'exports-none', path: 'exports?status=canceled', heading: 'Exports' },
  {
    name: 'exports',
    path: async (rig) => {
      await seedExports(rig)
      return 'exports'
    },
    heading: 'Exports',
  },
  { name: 'campaigns-none', path: 'campaigns?tag=nothing', heading: 'Campaigns' },
  { name: 'campaigns', path: async (rig) => (await seedCampaigns(rig)) && 'campaigns', heading: 'Campaigns' },
  {
    name: 'campaign',
    path: async (rig) => `campaigns/${(await seedCampaigns(rig)).agreed}`,
    heading: 'Autumn reviews',
  },
  {
    name: 'campaign-archived',
    path: async (rig) => `campaigns/${(await seedCampaigns(rig)).archived}`,
    heading: 'Two summers ago',
  },
  {
    name: 'stats-campaigns',
    path: async (rig) => (await seedData(rig)) && 'stats?days=7&group=campaign',
    heading: 'Stats',
  },
  { name: 'overview-anomaly', path: async (rig) => (await seedAnomaly(rig)) && '', heading: 'Overview' },
  { name: 'event-catalog', path: 'event-catalog', heading: 'Event catalog' },
  { name: 'event-catalog-none', path: 'event-catalog?q=nothing', heading: 'Event catalog' },
  { name: 'event-type', path: 'event-catalog/sync.completed', heading: 'sync.completed' },
]
