// What the pages of imports show and send (ui.md 2): pure, as the API tells it.
import type { components } from '@wds/api-client/schemas'
import { importStatuses } from '@wds/contracts/states'
import { importTexts as words } from '../texts/imports.ts'

type Schemas = components['schemas']
export type Import = Schemas['Import']
export { importStatuses }

/** What is in the file, and whose it is: `Stats of Acme feed`. */
export function titleOf({ type, source }: Pick<Import, 'type' | 'source'>, integration: string | null): string {
  if (type === 'stats') return words.statsOf(integration ?? words.gone)
  if (type === 'campaigns') return words.campaignsOf(integration ?? words.gone)
  return type === 'fx_rates' && source ? words.ratesOf(source) : words.types[type]
}

export interface Reject {
  line: number
  code: string
  detail: string
}

/** The lines of an errors file (NDJSON), at most `max` of them. */
export function readRejects(text: string, max: number): Reject[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.slice(0, max).map((line) => JSON.parse(line) as Reject)
}

export const errorsFileOf = ({ id }: Pick<Import, 'id'>) => `${id}-rejected.ndjson`
