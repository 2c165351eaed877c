// Decides whether a record of a source is a stats row, and why not (domain.md 4.4, 4.5). It stops at the first fault of a row.
// It never keeps a cell that is not mapped.
import { isCountry } from '@wds/contracts/countries'
import { minorUnits } from '@wds/contracts/currencies'
import type { RowRejectionCode, RowWarningCode } from '@wds/contracts/error-classes'
import { localDate } from '../../calendar/domain/calendar.ts'
import {
  isCount,
  isMeasure,
  isSigned,
  largestValue,
  type Measure,
  type MeasureValues,
  measures,
  noMeasures,
} from '../../stats/domain/measures.ts'
import type { StatsRow } from '../../stats/domain/stats-row.ts'
import { parseAmount, parseCount } from './parse-amount.ts'
import { parseDate, parseHour } from './parse-date.ts'
import type { BoundEntry, DimensionField } from './row-mapping.ts'

/** What a check needs to know of the integration and of the day. */
export interface RowRules {
  granularity: 'hour' | 'day'
  zone: string
  currency: string
  onUnknownCampaign: 'create' | 'unassigned' | 'reject'
  knowsCampaign(externalId: string): boolean
  /** Whether a sub-affiliate has the external id; left out: none has. */
  knowsSubAffiliate?(externalId: string): boolean
  /** Today on the calendar of the source's zone. */
  today: string
  /** Numbers are written `1234,56`. */
  decimalComma?: boolean
}

/** No row lies before it (domain.md 4.5). */
export const earliestDate = '2000-01-01'

export type CheckedRow = AcceptedRow | RejectedRow

/** A row. `campaignName`: what the source names its campaign, where it does. */
export interface AcceptedRow {
  ok: true
  row: StatsRow
  warnings: RowWarningCode[]
  campaignName?: string | null
}

/** Why a record is no row. `field`: whose cell is at fault; `value`: how its text begins. Null where it is the record as a whole. */
export interface RejectedRow {
  ok: false
  code: RowRejectionCode
  field: string | null
  value: string | null
}

/** Longest part of a value that is shown, in characters (domain.md 3.3). */
const shownMax = 40

/** A record that is rejected as a whole, or for one of its cells. Of the text of a cell only the beginning is kept. */
export function rejected(
  code: RowRejectionCode,
  field: string | null = null,
  value: string | null = null,
): RejectedRow {
  return { ok: false, code, field, value: value && shortened(value) }
}

/** A copy: a part of a string keeps the whole one in memory. */
function shortened(value: string): string {
  const characters = [...value.slice(0, 2 * shownMax + 2)]
  return characters.length > shownMax ? `${characters.slice(0, shownMax).join('')}…` : characters.join('')
}

class Rejection extends Error {
  readonly row: RejectedRow
  constructor(...args: Parameters<typeof rejected>) {
    super(args[0])
    this.row = rejected(...args)
  }
}

/** A record of cells under a bound mapping as a row, or the code of its first fault. A null cell was not supplied. */
export function checkRow(
  cells: readonly (string | null)[],
  entries: readonly BoundEntry[],
  rules: RowRules,
): CheckedRow {
  try {
    const warnings: RowWarningCode[] = []
    const text = dimensionTexts(cells, entries)
    const { day, hourMs } = timeOf(text, entries, rules)
    const currency = currencyOf(text.get('currency'), rules.currency)
    const values = valuesOf(cells, entries, { currency, decimalComma: rules.decimalComma ?? false })
    if (isNgrMismatch(values)) warnings.push('ngr_mismatch')
    const subId = textWithin(text.get('sub_id'), 'sub_id')
    const subAffiliateId = subId !== null && rules.knowsSubAffiliate?.(subId) ? subId : null
    if (subAffiliateId !== subId) warnings.push('unknown_sub_affiliate')
    const named = textWithin(text.get('campaign'), 'campaign')
    const campaignExternalId = campaignOf(named, rules)
    if (campaignExternalId !== named) warnings.push('unassigned_campaign')
    const campaignName = textWithin(text.get('campaign_name'), 'campaign_name')
    const country = countryOf(text.get('country'))
    return {
      ok: true,
      row: { day, hourMs, campaignExternalId, country, subAffiliateId, currency, values },
      warnings,
      campaignName,
    }
  } catch (error) {
    if (error instanceof Rejection) return error.row
    throw error
  }
}

function dimensionTexts(
  cells: readonly (string | null)[],
  entries: readonly BoundEntry[],
): Map<DimensionField, string> {
  const texts = new Map<DimensionField, string>()
  for (const entry of entries) if (!isMeasure(entry.to)) texts.set(entry.to, textOf(cells, entry))
  return texts
}

function textOf(cells: readonly (string | null)[], entry: BoundEntry): string {
  const raw = entry.constant ?? cells[entry.columns[0] ?? -1] ?? ''
  const translated = entry.values.get(raw) ?? raw
  return translated === '' ? (entry.default ?? '') : translated
}

function timeOf(text: Map<DimensionField, string>, entries: readonly BoundEntry[], rules: RowRules) {
  const hourText = text.get('hour') ?? ''
  if (rules.granularity === 'hour' && hourText === '') throw new Rejection('hour_missing', 'hour')
  const hourMs = hourText === '' ? null : parseHour(hourText, formatOf('hour', entries), rules.zone)
  if (hourText !== '' && hourMs === null) throw new Rejection('bad_date', 'hour', hourText)
  const [field, found] = hourMs === null ? (['date', text.get('date') ?? ''] as const) : (['hour', hourText] as const)
  const day = hourMs === null ? dateOfText(text, entries, rules) : localDate(hourMs, rules.zone)
  if (day > rules.today) throw new Rejection('date_in_future', field, found)
  if (day < earliestDate) throw new Rejection('date_too_old', field, found)
  return { day, hourMs: rules.granularity === 'hour' ? hourMs : null }
}

function dateOfText(text: Map<DimensionField, string>, entries: readonly BoundEntry[], rules: RowRules): string {
  const dateText = text.get('date') ?? ''
  if (dateText === '') throw new Rejection('missing_required', 'date')
  const day = parseDate(dateText, formatOf('date', entries), rules.zone)
  if (day === null) throw new Rejection('bad_date', 'date', dateText)
  return day
}

function formatOf(field: 'date' | 'hour', entries: readonly BoundEntry[]): BoundEntry['format'] {
  return entries.find((entry) => entry.to === field)?.format ?? 'YYYY-MM-DD'
}

function currencyOf(text: string | undefined, otherwise: string): string {
  const currency = text ? text : otherwise
  if (minorUnits(currency) === null) throw new Rejection('unknown_currency', 'currency', currency)
  return currency
}

/** Null where there is none. */
function textWithin(text: string | undefined, field: 'campaign' | 'campaign_name' | 'sub_id'): string | null {
  if (!text) return null
  if (text.length > 200 || [...text].length > 100) throw new Rejection('text_too_long', field, text)
  return text
}

/** What decides about a campaign that is not known (domain.md 3.2). */
type CampaignRules = Pick<RowRules, 'onUnknownCampaign' | 'knowsCampaign'>

/** The campaign that the row counts for, null for none; an unknown one may be no row's. */
function campaignOf(text: string | null, rules: CampaignRules): string | null {
  if (text === null || rules.onUnknownCampaign === 'create' || rules.knowsCampaign(text)) return text
  if (rules.onUnknownCampaign === 'reject') throw new Rejection('unknown_campaign', 'campaign', text)
  return null
}

/** A row that was not read from cells, as that of the demo provider, under the same rule. */
export function judgeCampaign(row: StatsRow, rules: CampaignRules): CheckedRow {
  const { campaignExternalId: named } = row
  try {
    const campaignExternalId = campaignOf(named, rules)
    if (campaignExternalId === named) return { ok: true, row, warnings: [] }
    return { ok: true, row: { ...row, campaignExternalId }, warnings: ['unassigned_campaign'] }
  } catch (error) {
    if (error instanceof Rejection) return error.row
    throw error
  }
}

function countryOf(text: string | undefined): string | null {
  if (!text || text === 'ZZ' || text === 'XX') return null
  if (!isCountry(text)) throw new Rejection('bad_country', 'country', text)
  return text
}

/** How the numbers of a row are written. */
interface Numbers {
  currency: string
  decimalComma: boolean
}

function valuesOf(cells: readonly (string | null)[], entries: readonly BoundEntry[], numbers: Numbers): MeasureValues {
  const values = noMeasures()
  for (const entry of entries) if (isMeasure(entry.to)) values[entry.to] = measureOf(cells, entry, entry.to, numbers)
  if (measures.every((measure) => values[measure] === null)) throw new Rejection('missing_required', null)
  return values
}

function measureOf(
  cells: readonly (string | null)[],
  entry: BoundEntry,
  measure: Measure,
  numbers: Numbers,
): bigint | null {
  if (entry.constant === null && entry.columns.every((column) => cells[column] === null)) return null
  const texts = entry.constant === null ? entry.columns.map((column) => cells[column] ?? '') : [entry.constant]
  let sum = 0n
  for (const text of texts) {
    const translated = entry.values.get(text) ?? text
    sum += cellValue(translated === '' ? (entry.default ?? '0') : translated, entry, measure, numbers)
  }
  if (entry.negate && !isCount(measure)) sum = -sum
  if (sum < 0n && !isSigned(measure)) throw new Rejection('negative_value', measure, texts.join(' + '))
  if (sum > largestValue || sum < -largestValue) throw new Rejection('amount_overflow', measure, texts.join(' + '))
  return sum
}

function cellValue(text: string, entry: BoundEntry, measure: Measure, numbers: Numbers): bigint {
  const digits = entry.unit === 'minor' ? 0 : (minorUnits(numbers.currency) ?? 0)
  const written = numbers.decimalComma ? pointed(text) : text
  const parsed = isCount(measure) ? parseCount(written) : parseAmount(written, digits, entry.round)
  if (!parsed.ok) throw new Rejection(parsed.error, measure, text)
  return parsed.value
}

/** With a decimal point. A point in a number of commas may separate thousands or not: it makes no number. */
function pointed(text: string): string {
  return text.includes('.') ? '.' : text.replace(',', '.')
}

function isNgrMismatch(values: MeasureValues): boolean {
  const { ggr, bonuses_amount, fees_amount, chargebacks_amount, ngr } = values
  if (ggr === null || bonuses_amount === null || fees_amount === null || chargebacks_amount === null || ngr === null) {
    return false
  }
  const difference = ggr - bonuses_amount - fees_amount - chargebacks_amount - ngr
  return difference > 1n || difference < -1n
}
