// What a file is sent as, by its name and what was typed about it, and whether it is still being read. Without texts: the page of an
// integration loads it, too.
import type { components } from '@wds/api-client/schemas'

type Import = components['schemas']['Import']
export type ImportType = Import['type']
export const importTypes = [
  'stats',
  'fx_rates',
  'invoice_payments',
  'campaigns',
] as const satisfies readonly ImportType[]

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
