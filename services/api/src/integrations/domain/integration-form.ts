// Decides the defaults of a new integration and which settings its provider takes (domain.md 3.2, 4.3).
// It never accepts a setting that the provider does not know.

import { minorUnits } from '@wds/contracts/currencies'
import { syncErrorCodes } from '@wds/contracts/error-classes'
import type { FieldFault } from '@wds/contracts/field-fault'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { dayNumber, timeZoneName } from '../../calendar/domain/calendar.ts'
import { metadataFaults } from '../../metadata/domain/metadata.ts'
import { isFeedProvider } from '../../providers/domain/providers.ts'
import {
  clicksOfBusiestDay,
  clicksOfDayMax,
  type DemoSettings,
  demoDefaults,
  rowsOfDays,
} from '../../sources/domain/demo-generator.ts'
import { type FeedSettings, feedFaults } from '../../sources/domain/feed-settings.ts'
import { recordsMax } from '../../sources/domain/ingest-limits.ts'
import { mappingFaults } from '../../sources/domain/row-mapping.ts'
import { columnsMax } from '../../sources/domain/split-csv.ts'
import { combineModes } from '../../stats/domain/combine-rows.ts'
import type { IntegrationFields, IntegrationPatch } from './integration-fields.ts'

/** What a first run goes back; of postbacks nothing came before. */
const backfillDays: Readonly<Record<string, number>> = { demo: 90, postback: 0 }

/** The fields of a new integration: what was given over the provider's defaults. */
export function withDefaults(
  given: IntegrationPatch & { name: string; brand_slug: string; provider: string },
): IntegrationFields {
  const pushed = given.provider === 'csv_upload'
  return {
    tags: [],
    metadata: {},
    settings: {},
    schedule: pushed ? null : { every_minutes: 60, at: null },
    source_time_zone: 'UTC',
    currency: 'EUR',
    // Most networks report by the day; what we make or count ourselves is by the hour.
    granularity: pushed || isFeedProvider(given.provider) ? 'day' : 'hour',
    lookback_days: 3,
    initial_backfill_days: backfillDays[given.provider] ?? 30,
    settle_hours: 6,
    required_for_final: !pushed,
    window_mode: pushed ? 'upsert' : 'replace',
    on_unknown_campaign: 'create',
    ...given,
  }
}

type GivenFields = Omit<IntegrationPatch, 'schedule'> & {
  schedule?: { every_minutes: number; at?: string | null } | null
}

/** What was given in the form it is stored in: a schedule without `at` has `at: null`, a zone its capitals. */
export function normalized(given: GivenFields): IntegrationPatch {
  const { schedule, source_time_zone: zone, ...rest } = given
  return withoutUndefined({
    ...rest,
    schedule: schedule === undefined ? undefined : schedule && { ...schedule, at: schedule.at ?? null },
    source_time_zone: zone === undefined ? undefined : (timeZoneName(zone) ?? zone),
  })
}

/** Characters of settings as JSON. They stand in lists and are copied into every run, so no text in them may be of any length. */
export const settingsCharactersMax = 32_768

/** Every fault of an integration's fields that its JSON Schema cannot see. */
export function fieldFaults(fields: IntegrationFields): FieldFault[] {
  const faults: FieldFault[] = []
  if (minorUnits(fields.currency) === null) {
    faults.push({ pointer: '/currency', code: 'unknown_currency', detail: 'The currency is not in ISO 4217.' })
  }
  if (timeZoneName(fields.source_time_zone) === null) {
    faults.push({ pointer: '/source_time_zone', code: 'unknown_time_zone', detail: 'No time zone has this IANA name.' })
  }
  faults.push(...metadataFaults(fields.metadata))
  if (fields.schedule !== null && fields.schedule.every_minutes === undefined) {
    faults.push({ pointer: '/schedule/every_minutes', code: 'validation_failed', detail: 'A schedule needs it.' })
  }
  if (fields.schedule !== null && fields.provider === 'csv_upload') {
    faults.push({ pointer: '/schedule', code: 'validation_failed', detail: 'Uploads have no schedule.' })
  }
  if (fields.schedule?.at && fields.schedule.every_minutes !== 1440) {
    faults.push({ pointer: '/schedule/at', code: 'validation_failed', detail: 'Needs every_minutes 1440.' })
  }
  if ((fields.provider === 'demo' || fields.provider === 'postback') && fields.granularity !== 'hour') {
    faults.push({ pointer: '/granularity', code: 'validation_failed', detail: 'This provider counts by the hour.' })
  }
  if (JSON.stringify(fields.settings).length > settingsCharactersMax) {
    faults.push({ pointer: '/settings', code: 'out_of_range', detail: 'At most 32,768 characters as JSON.' })
  }
  return [...faults, ...settingsFaults(fields)]
}

function settingsFaults(fields: IntegrationFields): FieldFault[] {
  const { provider, settings, granularity } = fields
  if (provider === 'demo') return demoFaults(fields)
  if (provider === 'postback') return []
  if (!isFeedProvider(provider)) return uploadFaults(fields)
  const found = feedFaults(settings as FeedSettings, granularity)
  return found.map(({ pointer, ...fault }) => ({ ...fault, pointer: `/settings${pointer}` }))
}

function uploadFaults(fields: IntegrationFields): FieldFault[] {
  const known = new Set(['mapping', 'combine'])
  const faults = unknownSettings(fields, known)
  const { mapping, combine } = fields.settings
  if (combine !== undefined && !combineModes.includes(combine)) faults.push(invalid('/settings/combine'))
  if (mapping === undefined) return faults
  if (!Array.isArray(mapping) || mapping.length === 0 || mapping.length > 200 || !mapping.every(isMappingEntry)) {
    return [...faults, invalid('/settings/mapping')]
  }
  const found = mappingFaults(mapping, fields.granularity)
  return [
    ...faults,
    ...found.map(
      ({ index, code, detail }): FieldFault => ({
        pointer: index === null ? '/settings/mapping' : `/settings/mapping/${index}`,
        code,
        detail,
      }),
    ),
  ]
}

const mappingOptions = new Set(['to', 'from', 'const', 'unit', 'format', 'values', 'negate', 'default', 'round'])

function isMappingEntry(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return false
  const { to, from, const: constant, unit, values, negate, round, default: fallback } = entry as Record<string, unknown>
  const texts = (value: unknown) => value === undefined || typeof value === 'string'
  const columns = Array.isArray(from) ? isColumnList(from) : texts(from)
  const translates =
    values === undefined ||
    (typeof values === 'object' && values !== null && Object.values(values).every((value) => typeof value === 'string'))
  return (
    Object.keys(entry).every((key) => mappingOptions.has(key)) &&
    typeof to === 'string' &&
    columns &&
    texts(constant) &&
    texts(fallback) &&
    translates &&
    (unit === undefined || unit === 'major' || unit === 'minor') &&
    (negate === undefined || typeof negate === 'boolean') &&
    (round === undefined || round === 'half_even' || round === 'reject')
  )
}

/** Each row is read by all of them: a column that is named again and again would cost as much again. */
function isColumnList(from: unknown[]): boolean {
  const isBounded = from.length > 0 && from.length <= columnsMax && new Set(from).size === from.length
  return isBounded && from.every((name) => typeof name === 'string')
}

function demoFaults(fields: IntegrationFields): FieldFault[] {
  const settings: Partial<Record<keyof DemoSettings, unknown>> = fields.settings
  const faults = unknownSettings(fields, new Set(Object.keys(demoDefaults)))
  const checks: [keyof DemoSettings, (value: unknown) => boolean][] = [
    ['seed', (value) => isWithin(value, 0, Number.MAX_SAFE_INTEGER)],
    ['campaigns', (value) => isWithin(value, 1, 20)],
    ['countries', isCountryList],
    ['clicks_per_day', (value) => isWithin(value, 0, 10_000_000)],
    ['restate_days', (value) => isWithin(value, 0, 30)],
    ['anomalies', (value) => Array.isArray(value) && value.length <= 100 && value.every(isAnomaly)],
    ['failures', (value) => value === null || isFailurePlan(value)],
  ]
  for (const [name, isValid] of checks) {
    if (settings[name] !== undefined && !isValid(settings[name])) faults.push(invalid(`/settings/${name}`))
  }
  if (faults.length > 0) return faults
  const given = { ...demoDefaults, ...fields.settings }
  // One day more: that of today.
  if (rowsOfDays(given, fields.initial_backfill_days + 1) > recordsMax) {
    const detail = 'campaigns times countries times 24 times (initial_backfill_days + 1) is at most 500,000 rows.'
    faults.push({ pointer: '/settings/countries', code: 'out_of_range', detail })
  }
  if (clicksOfBusiestDay(given) > clicksOfDayMax) {
    const detail = 'On one date, clicks_per_day times the factors of all its anomalies is at most 10,000,000,000.'
    faults.push({ pointer: '/settings/anomalies', code: 'out_of_range', detail })
  }
  return faults
}

function isCountryList(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length > 50 || new Set(value).size !== value.length)
    return false
  return value.every((country) => typeof country === 'string' && /^[A-Z]{2}$/.test(country))
}

function isAnomaly(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { date, campaign, factor, ...rest } = value as Record<string, unknown>
  if (Object.keys(rest).length > 0 || typeof date !== 'string' || dayNumber(date) === null) return false
  if (campaign !== undefined && typeof campaign !== 'string') return false
  return typeof factor === 'number' && factor >= 0 && factor <= 1000
}

function isFailurePlan(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { every_runs, attempts, code, ...rest } = value as Record<string, unknown>
  if (Object.keys(rest).length > 0 || !isWithin(every_runs, 1, 1000) || !isWithin(attempts, 1, 100)) return false
  return typeof code === 'string' && Object.hasOwn(syncErrorCodes, code)
}

function unknownSettings(fields: IntegrationFields, known: ReadonlySet<string>): FieldFault[] {
  return Object.keys(fields.settings)
    .filter((key) => !known.has(key))
    .map((key) => ({ pointer: `/settings/${key}`, code: 'unknown_field', detail: 'This field is not known here.' }))
}

function isWithin(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
}

function invalid(pointer: string): FieldFault {
  return { pointer, code: 'validation_failed', detail: 'The value is not valid for this provider.' }
}
