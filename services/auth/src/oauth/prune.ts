// Removes what is over: rows of the engine, denials, counts of failures, retired signing keys; and ends grants that nobody can use any more.
import { newId } from '@wds/aggregate/new-id'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { serverContext } from '@wds/telemetry/spans'
import { pruneRecords } from './engine/store.ts'
import { pruneDenials } from './engine/store-denials.ts'
import { pruneFailures } from './engine/store-failures.ts'
import { endGrants } from './grants/end-grants.ts'
import { findIdleGrants } from './grants/store.ts'
import { pruneSigningKeys } from './signing-keys/store.ts'

const batch = 1_000

/** `pool`: of the worker role. */
export async function pruneOAuth(pool: Pool): Promise<void> {
  await endIdleGrants(pool)
  await pruneRecords(pool)
  await pruneDenials(pool)
  await pruneFailures(pool)
  await pruneSigningKeys(pool)
}

async function endIdleGrants(pool: Pool): Promise<void> {
  for (let found = batch; found === batch; ) {
    const idle = await findIdleGrants(pool, batch)
    found = idle.length
    for (const { grantId } of idle) {
      const correlation = newId('req', Date.now())
      const by = { actor: { type: 'system', id: 'tidy' } as const, correlation, trace: serverContext(undefined) }
      await withTransaction(pool, { workspaceId: null }, (tx) => endGrants(tx, { grantId }, { reason: 'expired', by }))
    }
  }
}
