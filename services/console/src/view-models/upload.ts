// What a file is sent as, by its name and what was typed about it, and whether it is still being read. Without texts: the page of an
// integration loads it, too.
import type { components } from '@wds/api-client/schemas'
import type { Scope } from '@wds/contracts/scopes'

type Import = components['schemas']['Import']
export type ImportType = Import['type']
export const importTypes = [
  'stats',
  'fx_rates',
  'invoice_payments',
  'campaigns',
] as const satisfies readonly ImportType[]

/** What the API asks of whoever takes in a file of the type, or cancels it. */
export const importScopes: Readonly<Record<ImportType, Scope>> = {
  stats: 'integrations:write',
  fx_rates: 'integrations:write',
  invoice_payments: 'invoices:write',
  campaigns: 'campaigns:write',
}

/** The types that may be taken in with these scopes. */
export const typesWith = (scopes: readonly Scope[]): ImportType[] =>
  importTypes.filter((type) => scopes.includes(importScopes[type]))

export function mediaTypeOf(name: string): 'text/csv' | 'application/x-ndjson' {
  return /\.(ndjson|jsonl)$/i.test(name) ? 'application/x-ndjson' : 'text/csv'
}

/** It goes on by itself, and can be canceled. */
export const isUnderWay = ({ status }: Pick<Import, 'status'>): boolean => status === 'queued' || status === 'running'

export interface UploadDraft {
  type: ImportType
  integration: string
  source: string
  /** Days for which a file of stats is complete. */
  from: string
  to: string
}

/** As the API takes it: what belongs to another type is left out. */
export function importQuery({ type, integration, source, from, to }: UploadDraft) {
  const given = (name: string, value: string) => (value.trim() === '' ? {} : { [name]: value.trim() })
  if (type === 'invoice_payments') return { type }
  if (type === 'campaigns') return { type, integration_id: integration }
  if (type === 'fx_rates') return { type, ...given('source', source) }
  return { type, integration_id: integration, ...given('covers_from', from), ...given('covers_to', to) }
}
