// Decides which providers there are and what each takes (domain.md 4.1, 4.3), as JSON Schema for whoever fills in a form.
// `integration-form.ts` judges by rules that say the same; a test compares them.
import { syncErrorCodes } from '@wds/contracts/error-classes'
import { demoDefaults } from '../../sources/domain/demo-generator.ts'
import { dateFormats } from '../../sources/domain/parse-date.ts'
import { canonicalFields } from '../../sources/domain/row-mapping.ts'
import { columnsMax } from '../../sources/domain/split-csv.ts'
import { combineModes } from '../../stats/domain/combine-rows.ts'

type JsonSchema = Readonly<Record<string, unknown>>

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

const mappingEntry: JsonSchema = {
  type: 'object',
  required: ['to'],
  oneOf: [{ required: ['from'] }, { required: ['const'] }],
  additionalProperties: false,
  properties: {
    to: { enum: canonicalFields },
    from: {
      description: 'Column of a CSV file; member or JSON pointer of a JSON row. A list is summed, for measures only.',
      anyOf: [text, { type: 'array', minItems: 1, maxItems: columnsMax, uniqueItems: true, items: text }],
    },
    const: text,
    unit: { enum: ['major', 'minor'], default: 'major', description: 'Of amounts of money.' },
    format: { enum: dateFormats, description: 'Of dates; of hours iso, unix or unix_ms.' },
    values: { type: 'object', additionalProperties: text, description: 'Translates cells.' },
    negate: { type: 'boolean', default: false, description: 'Of amounts of money.' },
    default: { ...text, description: 'In place of an empty cell.' },
    round: { enum: ['half_even', 'reject'], default: 'half_even', description: 'Of amounts with too many decimals.' },
  },
}

const uploadSettings: JsonSchema = {
  $schema,
  type: 'object',
  additionalProperties: false,
  properties: {
    mapping: { type: 'array', minItems: 1, maxItems: 200, items: mappingEntry },
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

function available(provider: string, kind: Provider['kind'], settings_schema: JsonSchema): Provider {
  return { provider, kind, available: true, settings_schema, credentials_schema: null }
}

function reserved(provider: string, kind: Provider['kind'] = null): Provider {
  return { provider, kind, available: false, settings_schema: null, credentials_schema: null }
}

/** Every provider that has a name, in the order of domain.md 4.1. */
export const providers: readonly Provider[] = [
  available('csv_upload', 'push', uploadSettings),
  reserved('http_csv', 'pull'),
  reserved('http_json', 'pull'),
  reserved('postback', 'push'),
  available('demo', 'generated', demoSettings),
  reserved('myaffiliates'),
  reserved('income_access'),
  reserved('cellxpert'),
  reserved('affilka'),
  reserved('everflow'),
  reserved('tune'),
]

export function isAvailableProvider(provider: string): boolean {
  return providers.some((known) => known.provider === provider && known.available)
}
