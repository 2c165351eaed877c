// Removes what is over: rows of the engine, denials, counts of failures, retired signing keys; and ends grants that nobody can use any more.
import { newId } from '@wds/aggregate/new-id'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { endEach, takeEach } from '@wds/service-host/end-each'
import { serverContext } from '@wds/telemetry/spans'
import { pruneRecords } from './engine/store.ts'
import { pruneDenials } from './engine/store-denials.ts'
import { pruneFailures } from './engine/store-failures.ts'
import { endGrants } from './grants/end-grants.ts'
import { findIdleGrants } from './grants/store.ts'
import { pruneSigningKeys } from './signing-keys/store.ts'

const batch = 1_000

/** `pool`: of the worker role. Rejects where some of it could not be removed, once the rest is. */
export function pruneOAuth(pool: Pool): Promise<void> {
  const steps = [endIdleGrants, pruneRecords, pruneDenials, pruneFailures, pruneSigningKeys]
  return takeEach(steps.map((step) => () => step(pool)))
}

function endIdleGrants(pool: Pool): Promise<void> {
  return endEach({
    batch,
    find: (limit) => findIdleGrants(pool, limit),
    end({ grantId }) {
      const correlation = newId('req', Date.now())
      const by = { actor: { type: 'system', id: 'tidy' } as const, correlation, trace: serverContext(undefined) }
      return withTransaction(pool, { workspaceId: null }, (tx) => endGrants(tx, { grantId }, { reason: 'expired', by }))
    },
  })
}
