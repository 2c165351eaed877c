// Decides which providers there are and what each takes (domain.md 4.1, 4.3), as JSON Schema for whoever fills in a form.
// What is sent for a feed is judged by them; for uploads and demo `integration-form.ts` judges by rules that say the same, and a test compares them.
import { syncErrorCodes } from '@wds/contracts/error-classes'
import { demoDefaults } from '../../sources/domain/demo-generator.ts'
import { type FeedProvider, feedProviders } from '../../sources/domain/feed-settings.ts'
import { combineModes } from '../../stats/domain/combine-rows.ts'
import { feedCredentials, feedSettings } from './feed-schemas.ts'
import type { JsonSchema } from './json-schema.ts'
import { mappingSchema } from './mapping-schema.ts'
import { postbackSettings } from './postback-schema.ts'

/** One provider. An integration can only be made of one that is available. */
export interface Provider {
  provider: string
  /** Rows are sent to us, fetched by us, or made by us; null for presets that are only reserved. */
  kind: 'push' | 'pull' | 'generated' | null
  available: boolean
  /** JSON Schema 2020-12 of `settings`; null where nothing is taken yet. */
  settings_schema: JsonSchema | null
  /** JSON Schema of `credentials`; null where none are taken. */
  credentials_schema: JsonSchema | null
}

const $schema = 'https://json-schema.org/draft/2020-12/schema'
const text = { type: 'string' }

const uploadSettings: JsonSchema = {
  $schema,
  type: 'object',
  additionalProperties: false,
  properties: {
    mapping: mappingSchema,
    combine: { enum: combineModes, default: 'sum', description: 'What happens to rows with one key in one file.' },
  },
}

const demoSettings: JsonSchema = {
  $schema,
  type: 'object',
  additionalProperties: false,
  properties: {
    seed: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: demoDefaults.seed },
    campaigns: { type: 'integer', minimum: 1, maximum: 20, default: demoDefaults.campaigns },
    countries: {
      description: 'At most 500,000 rows: countries × campaigns × 24 hours × (initial_backfill_days + 1).',
      type: 'array',
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      items: { type: 'string', pattern: '^[A-Z]{2}$' },
      default: demoDefaults.countries,
    },
    clicks_per_day: { type: 'integer', minimum: 0, maximum: 10_000_000, default: demoDefaults.clicks_per_day },
    restate_days: { type: 'integer', minimum: 0, maximum: 30, default: demoDefaults.restate_days },
    anomalies: {
      description: 'Factors of one date multiply; times clicks_per_day they give at most 10,000,000,000 clicks a day.',
      type: 'array',
      maxItems: 100,
      items: {
        type: 'object',
        required: ['date', 'factor'],
        additionalProperties: false,
        properties: {
          date: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
          campaign: text,
          factor: { type: 'number', minimum: 0, maximum: 1000 },
        },
      },
    },
    failures: {
      type: ['object', 'null'],
      required: ['every_runs', 'attempts', 'code'],
      additionalProperties: false,
      properties: {
        every_runs: { type: 'integer', minimum: 1, maximum: 1000 },
        attempts: { type: 'integer', minimum: 1, maximum: 100 },
        code: { enum: Object.keys(syncErrorCodes) },
      },
    },
  },
}

function available(
  provider: string,
  kind: Provider['kind'],
  settings_schema: JsonSchema,
  credentials_schema: JsonSchema | null = null,
): Provider {
  return { provider, kind, available: true, settings_schema, credentials_schema }
}

function reserved(provider: string, kind: Provider['kind'] = null): Provider {
  return { provider, kind, available: false, settings_schema: null, credentials_schema: null }
}

/** Every provider that has a name, in the order of domain.md 4.1. */
export const providers: readonly Provider[] = [
  available('csv_upload', 'push', uploadSettings),
  ...feedProviders.map((name) => available(name, 'pull', feedSettings[name], feedCredentials)),
  available('postback', 'push', postbackSettings),
  available('demo', 'generated', demoSettings),
  reserved('myaffiliates'),
  reserved('income_access'),
  reserved('cellxpert'),
  reserved('affilka'),
  reserved('everflow'),
  reserved('tune'),
]

/** Whether the provider asks an address of the user's own. */
export function isFeedProvider(provider: string): provider is FeedProvider {
  return feedProviders.some((name) => name === provider)
}

export function isAvailableProvider(provider: string): boolean {
  return providers.some((known) => known.provider === provider && known.available)
}
