// What a workspace's plan allows, judged in the transaction that makes use of it (S45).
import { load, workspaceOf } from '@wds/aggregate/aggregate'
import { planAllowsApps, plansWithApps } from '@wds/contracts/roles'
import { Problem } from '@wds/http-service/problem'
import type { Transaction } from '@wds/postgres/transaction'
import { workspaces } from './aggregate.ts'

/** Throws Problem `plan_required` below business, where apps are neither registered nor edited (auth.md 4.1). */
export async function requireAppsInPlan(tx: Transaction): Promise<void> {
  const found = await load(tx, workspaces, workspaceOf(tx), { lock: false })
  if (found?.state.status !== 'active') throw new Problem('not_found')
  const { plan } = found.state
  if (planAllowsApps(plan)) return
  const detail = `Apps need the plan ${plansWithApps.join(' or ')}; this workspace has the plan ${plan}.`
  throw new Problem('plan_required', { detail })
}
