// What is typed about an integration, and the fields of the API that come of it.
import type { components } from '@wds/api-client/schemas'
import { isUpload } from './integration-health.ts'
import { fieldsOfSchema, type SchemaField, type SettingsDraft, settingsOf, typedSettings } from './schema-form.ts'

type Schemas = components['schemas']

/** Every field as it is typed; '' leaves it to the provider's default. */
export interface IntegrationDraft {
  name: string
  brandSlug: string
  currency: string
  timeZone: string
  everyMinutes: string
  at: string
  lookbackDays: string
  initialBackfillDays: string
  settleHours: string
  windowMode: string
  onUnknownCampaign: string
  settings: SettingsDraft
  /** Never what is stored: what is typed here replaces it. */
  credentials: SettingsDraft
}

export const emptyIntegration: IntegrationDraft = {
  name: '',
  brandSlug: '',
  currency: 'EUR',
  timeZone: 'UTC',
  everyMinutes: '',
  at: '',
  lookbackDays: '',
  initialBackfillDays: '',
  settleHours: '',
  windowMode: '',
  onUnknownCampaign: '',
  settings: {},
  credentials: {},
}

export const windowModes = ['replace', 'upsert'] as const
export const campaignRules = ['create', 'unassigned', 'reject'] as const
/** Minutes between two runs, of those that people choose. */
export const intervals = ['15', '30', '60', '180', '360', '720', '1440'] as const
export const dailyMinutes = '1440'

type Integration = Schemas['Integration']
type Provider = Schemas['Provider']

export const settingFields = (provider: Provider | null): SchemaField[] =>
  fieldsOfSchema(provider?.settings_schema ?? null)

/** What is wrong with the provider's own fields, by their names. */
export const settingFaults = (provider: Provider, { settings }: IntegrationDraft) =>
  settingsOf(settingFields(provider), settings).faults

/** Those that are said: what is missing, once somebody tried to send. */
export function shownFaults(provider: Provider, draft: IntegrationDraft, { wasTried }: { wasTried: boolean }) {
  const faults = Object.entries(settingFaults(provider, draft))
  return Object.fromEntries(faults.filter(([, fault]) => wasTried || fault !== 'missing'))
}

export const credentialFields = (provider: Provider | null): SchemaField[] =>
  fieldsOfSchema(provider?.credentials_schema ?? null)

const typed = (value: number | string | undefined) => (value === undefined ? '' : String(value))

export function draftOfIntegration(integration: Integration, fields: readonly SchemaField[]): IntegrationDraft {
  const { schedule } = integration
  return {
    name: integration.name,
    brandSlug: integration.brand_slug,
    currency: typed(integration.currency),
    timeZone: typed(integration.source_time_zone),
    everyMinutes: typed(schedule?.every_minutes),
    at: schedule?.at ?? '',
    lookbackDays: typed(integration.lookback_days),
    initialBackfillDays: typed(integration.initial_backfill_days),
    settleHours: typed(integration.settle_hours),
    windowMode: typed(integration.window_mode),
    onUnknownCampaign: typed(integration.on_unknown_campaign),
    settings: typedSettings(fields, integration.settings),
    credentials: {},
  }
}

/** As the API takes them. Provider and brand are for a new one only. */
export function fieldsOfIntegration(draft: IntegrationDraft, fields: readonly SchemaField[]) {
  const number = (text: string) => (text === '' ? undefined : Number(text))
  const { everyMinutes: every, at } = draft
  const schedule =
    every === '' ? undefined : { every_minutes: Number(every), at: every === dailyMinutes && at ? at : null }
  const credentials = Object.entries(draft.credentials).filter(([, value]) => value !== '')
  const given = {
    name: draft.name.trim(),
    currency: draft.currency || undefined,
    source_time_zone: draft.timeZone || undefined,
    schedule,
    lookback_days: number(draft.lookbackDays),
    initial_backfill_days: number(draft.initialBackfillDays),
    settle_hours: number(draft.settleHours),
    window_mode: (draft.windowMode || undefined) as Integration['window_mode'],
    on_unknown_campaign: (draft.onUnknownCampaign || undefined) as Integration['on_unknown_campaign'],
    settings: settingsOf(fields, draft.settings).settings,
    credentials: credentials.length === 0 ? undefined : Object.fromEntries(credentials),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

export function newIntegration(draft: IntegrationDraft, provider: Provider): Schemas['NewIntegration'] {
  // What was typed for another provider before this one was chosen is not for it.
  const { name, ...rest } = fieldsOfIntegration(ownOf(draft, provider), settingFields(provider))
  return { name: String(name), provider: provider.provider, brand_slug: draft.brandSlug.trim(), ...rest }
}

function ownOf(draft: IntegrationDraft, provider: Provider): IntegrationDraft {
  const known = new Set(credentialFields(provider).map(({ name }) => name))
  const credentials = Object.fromEntries(Object.entries(draft.credentials).filter(([name]) => known.has(name)))
  if (!isUpload(provider.provider)) return { ...draft, credentials }
  return { ...draft, credentials, everyMinutes: '', at: '', lookbackDays: '', initialBackfillDays: '', settleHours: '' }
}
