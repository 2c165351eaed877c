// Decides what a line of a file of campaigns says of its campaign (domain.md 3.12). It stops at the first fault of a line; an empty cell
// says nothing.

import { isCountry } from '@wds/contracts/countries'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { isSameJson } from '@wds/decider/same-json'
import { dayNumber } from '../../calendar/domain/calendar.ts'
import type { CampaignFields, CampaignPatch, CampaignState } from '../../campaigns/domain/campaign.ts'
import { isName } from '../../campaigns/domain/campaign-name.ts'
import { isHttps, isTrackingUrl } from '../../campaigns/domain/tracking-link.ts'
import type { Cells } from '../../files/domain/named-columns.ts'
import { type RejectedRow, rejected } from '../../sources/domain/check-row.ts'

/** The columns of a file of campaigns, in any order. `tags` and `countries` hold several, with `|` between them. */
export const campaignColumns = {
  required: ['external_id', 'name'],
  optional: ['status', 'tags', 'tracking_url', 'landing_url', 'countries', 'starts', 'ends'],
} as const
type Column = (typeof campaignColumns.required)[number] | (typeof campaignColumns.optional)[number]

export interface CampaignCells {
  externalId: string
  /** Of a new one. */
  status: 'draft' | 'active'
  /** What the line says. */
  patch: CampaignPatch & { name: string }
}

/** Characters of a text, as the forms of a campaign take them. */
const longest = { external_id: 100, name: 100, tracking_url: 2_048, landing_url: 2_048 } as const
const [tagsMax, tagMax] = [20, 40]

/** What can be said of a line without its campaign. */
export function checkCampaignLine(cells: Cells<Column>): { ok: true; cells: CampaignCells } | RejectedRow {
  const { external_id: externalId, name, status } = cells
  const missing = campaignColumns.required.find((column) => cells[column] === '')
  if (missing !== undefined) return rejected('missing_required', missing)
  for (const [column, most] of Object.entries(longest) as [keyof typeof longest, number][])
    if ([...cells[column]].length > most) return rejected('text_too_long', column, cells[column])
  if (!isName(name)) return rejected('bad_value', 'name', name)
  if (status !== '' && status !== 'draft' && status !== 'active') return rejected('bad_value', 'status', status)
  const [tags, countries] = [several(cells.tags), several(cells.countries)]
  const long = tags.find((tag) => [...tag].length > tagMax)
  if (long !== undefined) return rejected('text_too_long', 'tags', long)
  if (tags.length > tagsMax) return rejected('bad_value', 'tags', cells.tags)
  const unknown = countries.find((country) => !isCountry(country))
  if (unknown !== undefined) return rejected('bad_country', 'countries', unknown)
  for (const column of ['starts', 'ends'] as const)
    if (cells[column] !== '' && dayNumber(cells[column]) === null) return rejected('bad_date', column, cells[column])
  if (cells.tracking_url !== '' && !isTrackingUrl(cells.tracking_url))
    return rejected('bad_value', 'tracking_url', cells.tracking_url)
  if (cells.landing_url !== '' && !isHttps(cells.landing_url))
    return rejected('bad_value', 'landing_url', cells.landing_url)
  const patch = withoutUndefined<CampaignCells['patch']>({
    name,
    tags: tags.length === 0 ? undefined : tags,
    countries: countries.length === 0 ? undefined : countries,
    ...given(cells, 'tracking_url'),
    ...given(cells, 'landing_url'),
    ...given(cells, 'starts'),
    ...given(cells, 'ends'),
  })
  return { ok: true, cells: { externalId, status: status === 'active' ? 'active' : 'draft', patch } }
}

const several = (cell: string) => [
  ...new Set(
    cell
      .split('|')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
]

const given = <C extends 'tracking_url' | 'landing_url' | 'starts' | 'ends'>(cells: Cells<Column>, column: C) =>
  cells[column] === '' ? {} : { [column]: cells[column] }

/** Whether the days stand in their order, once the campaign is as the line says. */
export function judgePeriod(fields: Pick<CampaignFields, 'starts' | 'ends'>): RejectedRow | null {
  const { starts, ends } = fields
  return starts !== null && ends !== null && starts > ends ? rejected('bad_value', 'ends', ends) : null
}

/** Whether the campaign is as the line says; what is archived may stay so. */
export function isAsSaid({ fields }: CampaignState, patch: CampaignPatch): boolean {
  return Object.entries(patch).every(([name, value]) => isSameJson(value, fields?.[name as keyof CampaignFields]))
}
