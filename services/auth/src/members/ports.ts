// What becomes of the grants of people and workspaces: the OAuth server knows, and is given in by the files of src/.
import type { GrantEnd } from '@wds/contracts/auth-events'
import type { Role } from '@wds/contracts/roles'
import type { Transaction } from '@wds/postgres/transaction'
import type { By } from '../audit/audit.ts'

export interface Grants {
  /** Narrows those of a member to what the role holds. */
  cut(tx: Transaction, o: { workspaceId: string; userId: string; role: Role; memberRev: number; by: By }): Promise<void>
  /** Ends those that fit. */
  end(
    tx: Transaction,
    filter: { workspaceId?: string; userId?: string },
    o: { reason: GrantEnd; by: By },
  ): Promise<unknown>
}
