// Makes a key: its stream, its row, its announcement. The key is shown once, in the answer; nothing stores it.
import { randomBytes } from 'node:crypto'
import { makeApiKey, parseApiKey } from '@wds/access/api-key'
import { blank, execute, type Outcome } from '@wds/aggregate/aggregate'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import { lockWorkspace } from '../members/store.ts'
import { apiKeys } from './aggregate.ts'
import type { ApiKeyEvent, ApiKeyFields, ApiKeyRejection, ApiKeyState, KeyText } from './domain/api-key.ts'
import { countLiveKeys } from './store.ts'

export interface NewKey extends ApiKeyFields {
  /** RFC 3339; null: never. */
  expires: string | null
  /** `usr_…`; null: the operator. */
  creator: string | null
}

/** A new key and what may be told of it. */
export function makeKeyText(): { apiKey: string; text: KeyText } {
  const apiKey = makeApiKey(randomBytes)
  const parsed = parseApiKey(apiKey)
  if (!parsed.ok) throw new Error('a new key does not parse')
  const { digest, prefix, last4 } = parsed
  return { apiKey, text: { digest: digest.toString('hex'), prefix, last4 } }
}

/** The key, or the refusal. */
export async function createKey(
  tx: Transaction,
  { context, nowMs, key }: { context: AppendContext; nowMs: number; key: NewKey },
): Promise<Outcome<ApiKeyState, ApiKeyEvent, ApiKeyRejection> & { apiKey: string }> {
  const { workspaceId } = context
  const loaded = blank(apiKeys, { nowMs })
  const { apiKey, text } = makeKeyText()
  await lockWorkspace(tx, workspaceId)
  const outcome = await execute(tx, apiKeys, {
    context,
    loaded,
    command: {
      type: 'create',
      key: { key_id: loaded.id, workspace_id: workspaceId, ...text, ...key },
      liveKeys: await countLiveKeys(tx, workspaceId),
    },
  })
  return { ...outcome, apiKey }
}
