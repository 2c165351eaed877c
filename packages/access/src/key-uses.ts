// Tells auth which API keys are used (auth.md 5): gathered in memory, and put on the log once a minute, beside the requests. What a process
// that is killed had gathered is lost, which costs a key in use nothing: it is used again.

import type { ApiKeysUsed } from '@wds/contracts/access-events'
import { topics } from '@wds/contracts/topics'
import { dbNow } from '@wds/event-store/event-store'
import { putInOutbox } from '@wds/event-store/outbox'
import { unstreamedRecords } from '@wds/event-store/unstreamed'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import type { KeyClient } from './authenticator.ts'

/** Milliseconds between two calls of `announce`. */
export const announceEveryMs = 60_000
/** Keys in one record, some 40 KB. */
const keysPerRecord = 500

export interface KeyUses {
  /** Costs a look-up. */
  note(client: KeyClient): void
  /** What was noted since the last call. When it rejects, the next call announces it. */
  announce(): Promise<void>
}

/** `pool`: of the HTTP role. */
export function createKeyUses(pool: Pool): KeyUses {
  let used = new Map<string, string>()
  return {
    note: ({ id, workspaceId }) => void used.set(id, workspaceId),
    async announce() {
      if (used.size === 0) return
      const announced = used
      used = new Map()
      try {
        await announceUses(
          pool,
          [...announced].map(([key_id, workspace_id]) => ({ workspace_id, key_id })),
        )
      } catch (error) {
        used = new Map([...announced, ...used])
        throw error
      }
    },
  }
}

/** Of no workspace: one record tells of many. */
function announceUses(pool: Pool, keys: ApiKeysUsed['keys']): Promise<void> {
  return withTransaction(pool, { workspaceId: null }, async (tx) => {
    const nowMs = await dbNow(tx)
    const used = new Date(nowMs).toISOString()
    const announcements = Array.from({ length: Math.ceil(keys.length / keysPerRecord) }, (_, nth) => {
      const data: ApiKeysUsed = { used, keys: keys.slice(nth * keysPerRecord, (nth + 1) * keysPerRecord) }
      return { topic: topics.accessUsed, key: 'api-keys', type: 'ApiKeysUsed', data }
    })
    const context = { workspaceId: '', actor: { type: 'system', id: 'access' } } as const
    await putInOutbox(tx, unstreamedRecords(tx, context, { nowMs, announcements }))
  })
}
