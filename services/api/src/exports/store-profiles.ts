// Sub-affiliates of an export: what stands beside their rows is held with them, so that names and balances are of the same instant.
import type { Bind } from '@wds/aggregate/list'
import { type AccountRow, accountsSql } from '../ledger/store-ledger.ts'
import { type ProfileRow, profilesSql } from '../sub-affiliates/store-profiles.ts'

export interface HeldBeside {
  profile: ProfileRow | null
  account: AccountRow | null
}

/**
 * Rows that `allListedSql` finds, each with a HeldBeside. Of those removed at `namelessMs` or before no profile is held. Primary keys of
 * profiles and accounts serve it.
 */
export function besideSql(found: string, o: { workspaceId: string; namelessMs: number }, bind: Bind): string {
  const workspace = bind(o.workspaceId)
  const one = (alias: string) => `${alias}.workspace_id = ${workspace} and ${alias}.sub_affiliate_id = listed->>'id'`
  const isNamed = `coalesce((listed->'state'->>'removed_ms')::bigint > ${bind(o.namelessMs)}::bigint, true)`
  return `select place, listed || jsonb_build_object(
      'profile', (select to_jsonb(named) from (${profilesSql} where ${one('p')} and ${isNamed}) named),
      'account', (select to_jsonb(summed) from (${accountsSql} where ${one('a')}) summed)) as listed
    from (${found}) rows order by place`
}
