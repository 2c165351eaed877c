// The settings of a workspace as they hold now, for whoever follows them. It never changes any.
import { load, workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import { defaultSettings, type SettingsFields, settingsDecider } from './domain/settings.ts'

/** Those of the transaction's workspace; the defaults where nothing was changed yet. */
export async function readSettings(tx: Transaction): Promise<SettingsFields> {
  const aggregate = { table: 'workspace_settings', decider: settingsDecider }
  return (await load(tx, aggregate, workspaceOf(tx), { lock: false }))?.state.fields ?? defaultSettings
}
