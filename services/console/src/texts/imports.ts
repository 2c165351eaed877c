// Texts of the imports.
import { counted } from './counts.ts'

export const importTexts = {
  lead: 'Files that came into the workspace: numbers of integrations without a feed, exchange rates, payments of invoices, campaigns.',
  none: 'No imports',
  noneText: 'Upload a file of stats, exchange rates, payments or campaigns.',
  noMatch: 'No import matches',
  noMatchText: 'Others are there, but not with these filters.',
  caption: 'Imports',
  chips: {
    status: (value: string) => `status: ${value}`,
    type: (value: string) => `type: ${value}`,
    integration: (value: string) => `integration: ${value}`,
  },
  import: 'Import',
  type: 'Type',
  allTypes: 'All types',
  types: {
    stats: 'Stats',
    fx_rates: 'Exchange rates',
    invoice_payments: 'Payments of invoices',
    campaigns: 'Campaigns',
  },
  campaignsOf: (integration: string) => `Campaigns of ${integration}`,
  statsOf: (integration: string) => `Stats of ${integration}`,
  ratesOf: (source: string) => `Exchange rates of ${source}`,
  gone: 'an integration',
  status: 'Status',
  allStatuses: 'All statuses',
  integration: 'Integration',
  allIntegrations: 'All integrations',
  accepted: 'Accepted',
  rejected: 'Rejected',
  unchanged: 'Unchanged',
  lines: 'Lines',
  added: 'Taken in',
  // One of them.
  facts: 'Facts',
  format: 'Format',
  covers: 'Complete for',
  source: 'Published by',
  run: 'Sync run',
  rateSet: 'Rate set',
  started: 'Started',
  finished: 'Finished',
  id: 'Import ID',
  underWay: 'It is read by itself; this page follows it.',
  failed: (message: string, line: number | null) =>
    `It was ended: ${message}${line === null ? '' : ` Look at line ${line}.`}`,
  kept: {
    stats: 'Nothing of it was stored.',
    fx_rates: 'Nothing of it was stored.',
    invoice_payments: 'Payments that were recorded by then stay.',
    campaigns: 'Campaigns that were made or changed by then stay so.',
  },
  cancel: 'Cancel import',
  cancelTitle: 'Cancel this import?',
  cancelTexts: {
    stats: 'It ends now, and no row of it is stored. The file can be uploaded again.',
    fx_rates: 'It ends now, and no rate of it is stored. The file can be uploaded again.',
    invoice_payments:
      'It ends now. Payments that are recorded stay; the file can be uploaded again, and records the rest.',
    campaigns: 'It ends now. What is made or changed stays so; the file can be uploaded again, and does the rest.',
  },
  canceled: 'The import is canceled',
  rejects: 'Rejected lines',
  rejectsHint: (shown: number, all: number) =>
    `${shown < all ? `The first ${shown} of ${counted(all, 'line')}` : counted(all, 'line')}, kept for 30 days.`,
  rejectsMany: (all: number) =>
    `${counted(all, 'line')}, too many to show here; the file holds up to 100,000, kept for 30 days.`,
  rejectsGone: 'They are no longer kept.',
  save: 'Save as NDJSON',
  line: 'Line',
  code: 'Code',
  reason: 'Reason',
  // A new one.
  create: 'Upload a file',
  about: 'What it holds',
  hints: {
    stats: 'Columns are named as the fields of the API, or as the integration maps them.',
    fx_rates: 'Columns date, base, quote and rate: one of base costs rate of quote, and one of the two is EUR.',
    invoice_payments:
      'Columns invoice (its ID or number), reference, amount such as 1250.00, received (a date) and method. Each reference is recorded once.',
    campaigns:
      'Columns external_id and name; as wanted status, tags and countries (with | between several), tracking_url, landing_url, starts, ends.',
  },
  noUploads: 'No integration takes files',
  noUploadsText: 'Stats by file need an integration with the provider CSV upload that is not paused.',
  addIntegration: 'Add integration',
  sourceHint: 'Who published the rates; stats name it. Left empty: the ID of the import.',
} as const
