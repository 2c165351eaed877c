// Reads a service's settings and refuses unsafe ones, all faults in one line (security.md 7, style.md 23).
import { SettingsError } from '@wds/settings/settings'
import { isProduction } from './profile.ts'
import type { Service } from './service.ts'
import type { ServiceValues } from './service-settings.ts'
import { settingFaults } from './setting-refusals.ts'

type Env = Readonly<Record<string, string | undefined>>

/** The values; throws `SettingsError`. In production every unknown name that begins with WDS_ is a misspelling. */
export function readServiceSettings<V extends ServiceValues, S, W>(
  service: Pick<Service<V, S, W>, 'readSettings' | 'refusals'>,
  o: { env: Env; execArgv: readonly string[] },
): V {
  const values = service.readSettings(o.env)
  const production = isProduction(values)
  if (production) service.readSettings(o.env, { refuseUnknownPrefix: 'WDS_' })
  const faults = [...settingFaults(values, o), ...(production ? (service.refusals?.(values) ?? []) : [])]
  if (faults.length > 0) throw new SettingsError(faults)
  return values
}
