// Declares the events of bulk imports and of the workspace's settings (domain.md 5.58 to 5.60).
import type { EventDeclaration } from './declaration.ts'

const importReadScope = ['campaigns:read', 'integrations:read', 'invoices:read'] as const

export const importEvents = {
  'import.completed': {
    meaning: 'A bulk import finished.',
    data: {
      import_id: 'id imp',
      import_type: 'str campaigns|stats|invoice_payments|fx_rates',
      lines: 'count',
      accepted: 'count',
      rejected: 'count',
      duration_ms: 'count',
    },
    oncePer: 'import',
    readScope: importReadScope,
    volume: 'low',
  },
  'import.failed': {
    meaning: 'A bulk import failed as a whole.',
    data: {
      import_id: 'id imp',
      import_type: 'str campaigns|stats|invoice_payments|fx_rates',
      error_code: 'str',
      line: 'count?',
    },
    oncePer: 'import',
    readScope: importReadScope,
    volume: 'low',
    example: { error_code: 'unknown_column' },
  },
} as const satisfies Record<string, EventDeclaration>

export const workspaceEvents = {
  'workspace.updated': {
    meaning:
      "The workspace's time zone, base currency or other settings changed, or its name, slug or strict_event_scopes.",
    data: { changed: '[str]', time_zone: 'zone', base_currency: 'cur' },
    oncePer: 'version',
    readScope: [],
    volume: 'low',
    example: { changed: ['time_zone'] },
  },
} as const satisfies Record<string, EventDeclaration>
