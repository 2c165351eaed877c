// Tells auth which API keys are used (auth.md 5): gathered in memory, and put on the log once a minute, beside the requests. What a process
// that is killed had gathered is lost, which costs a key in use nothing: it is used again.

import { randomBytes } from 'node:crypto'
import type { ApiKeysUsed } from '@wds/contracts/access-events'
import { makeId } from '@wds/contracts/ids'
import { topics } from '@wds/contracts/topics'
import { announcementRecord, dbNow } from '@wds/event-store/event-store'
import { putInOutbox } from '@wds/event-store/outbox'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { serverContext } from '@wds/telemetry/spans'
import type { KeyClient } from './authenticator.ts'

/** Milliseconds between two calls of `tell`. */
export const tellEveryMs = 60_000
/** Keys in one record, some 40 KB. */
const keysPerRecord = 500

export interface KeyUses {
  /** Costs a look-up. */
  note(client: KeyClient): void
  /** Announces what was noted since the last call. When it rejects, the next call announces it. */
  tell(): Promise<void>
}

/** `pool`: of the HTTP role. */
export function createKeyUses(pool: Pool): KeyUses {
  let used = new Map<string, string>()
  return {
    note: ({ id, workspaceId }) => void used.set(id, workspaceId),
    async tell() {
      if (used.size === 0) return
      const told = used
      used = new Map()
      try {
        await announce(
          pool,
          [...told].map(([key_id, workspace_id]) => ({ workspace_id, key_id })),
        )
      } catch (error) {
        used = new Map([...told, ...used])
        throw error
      }
    },
  }
}

/** Of no workspace: one record tells of many. */
function announce(pool: Pool, keys: ApiKeysUsed['keys']): Promise<void> {
  return withTransaction(pool, { workspaceId: null }, async (tx) => {
    const nowMs = await dbNow(tx)
    const { traceparent } = serverContext(undefined)
    const records = Array.from({ length: Math.ceil(keys.length / keysPerRecord) }, (_, nth) => {
      const eventId = makeId('evt', nowMs, randomBytes(10))
      const data: ApiKeysUsed = {
        used: new Date(nowMs).toISOString(),
        keys: keys.slice(nth * keysPerRecord, (nth + 1) * keysPerRecord),
      }
      const payload = Buffer.from(JSON.stringify({ id: eventId, type: 'ApiKeysUsed', created: data.used, data }))
      const context = {
        workspaceId: '',
        correlation: eventId,
        trace: { traceparent },
        actor: { type: 'system', id: 'access' } as const,
      }
      const announcement = { topic: topics.accessUsed, key: 'api-keys', type: 'ApiKeysUsed', payload }
      return announcementRecord(context, announcement, { eventId, traceparent })
    })
    await putInOutbox(tx, records)
  })
}
