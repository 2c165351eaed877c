// Judges whether what a rule is to look at is there (domain.md 3.10).
import { workspaceOf } from '@wds/aggregate/aggregate'
import { problemOfFaults } from '@wds/http-service/problem'
import type { Transaction } from '@wds/postgres/transaction'
import type { RuleFields } from './domain/rule.ts'

type Scope = RuleFields['scope']
type ListName = keyof Scope

const namesNone: Record<ListName, string> = {
  brand_slugs: 'No brand has this slug.',
  campaign_ids: 'No campaign has this id.',
  integration_ids: 'No integration has this id.',
}

/** Throws a Problem for what is not there. `before`: what the rule looks at, which may have been deleted since. The primary keys serve it. */
export async function judgeScope(tx: Transaction, scope: Scope, before?: Scope): Promise<void> {
  const names = Object.keys(namesNone) as ListName[]
  const added = names.map((name) => scope[name].filter((id) => !before?.[name].includes(id)))
  if (added.every((ids) => ids.length === 0)) return
  const { rows } = await tx.query<{ list: ListName; id: string }>(
    `select 'brand_slugs' as list, id from (select unnest($2::text[])
       except select slug from brands where workspace_id = $1 and slug = any($2)) missing(id)
     union all select 'campaign_ids', id from (select unnest($3::text[])
       except select id from campaigns where workspace_id = $1 and id = any($3)) missing(id)
     union all select 'integration_ids', id from (select unnest($4::text[])
       except select id from integrations where workspace_id = $1 and id = any($4) and status <> 'deleted') missing(id)`,
    [workspaceOf(tx), ...added],
  )
  const faults = rows.map(({ list, id }) => {
    const pointer = `/scope/${list}/${scope[list].indexOf(id)}`
    return { pointer, code: 'invalid_value' as const, detail: namesNone[list] }
  })
  if (faults.length > 0) throw problemOfFaults(faults)
}
