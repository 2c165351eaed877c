import type { Aggregate } from '@wds/aggregate/aggregate'
import { announce } from '../announcements/announce.ts'
import { auditChange } from '../audit/audit.ts'
import {
  type ApiKeyCommand,
  type ApiKeyEvent,
  type ApiKeyRejection,
  type ApiKeyState,
  apiKeyDecider,
} from './domain/api-key.ts'
import { keepDigest } from './store-digests.ts'

/** The row of a revoked key is kept for so long (`pruneRevokedKeys`). */
const revokedKeptMs = 31 * 86_400_000

export const apiKeys: Aggregate<ApiKeyState, ApiKeyCommand, ApiKeyEvent, ApiKeyRejection> = {
  streamType: 'api_key',
  idPrefix: 'key',
  table: 'api_keys',
  idColumn: 'key_id',
  decider: apiKeyDecider,
  columns: (state) => ({ status: state.status, expires: state.status === 'none' ? null : state.expires }),
  keptMs: ({ status }) => (status === 'revoked' ? revokedKeptMs : null),
  announce,
  project: async (tx, change) => {
    await auditChange(tx, change)
    for (const event of change.events) await keepDigest(tx, event)
  },
}
