// Reads an environment as a service does in production. Files that are mounted are not here: those with a database's address are made up.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outboundRefusals } from '@wds/outbound/settings'
import { readServiceSettings } from '@wds/service-host/read-settings'
import type { ServiceValues } from '@wds/service-host/service-settings'
import type { ParseOptions } from '@wds/settings/settings'
import { settings as api } from '../../services/api/src/config.ts'
import { settings as auth, refusals as refusalsOfAuth } from '../../services/auth/src/config.ts'
import { settings as catalog } from '../../services/catalog/src/config.ts'
import { settings as console } from '../../services/console/src/config.ts'
import { readSettings as delivery, settings as ofDelivery } from '../../services/delivery/src/config.ts'

type Env = Record<string, string>
type Reader = (env: Env, options?: ParseOptions) => ServiceValues

/** Where a service finds its secrets. */
export const mounted = '/etc/workspace-data'
/** What production refuses besides, as each main.ts has it. */
const refusals: Record<string, unknown> = { auth: refusalsOfAuth, api: outboundRefusals, delivery: outboundRefusals }
const readers = { auth: auth.parse, api: api.parse, catalog: catalog.parse, delivery } as Record<string, unknown>
const described: Record<string, { describe(): { name: string; secret: boolean }[] }> = {
  auth,
  api,
  catalog,
  console,
  delivery: ofDelivery,
}
/** Of the runtime and of OpenTelemetry, which no config.ts declares. */
const runtimes = /^(?:NODE_OPTIONS|OTEL_[A-Z_]+)$/

/** The settings that the service has then. Throws what it would refuse to start with. */
export function readSettingsOf(name: string, env: Env): Record<string, unknown> {
  if (name === 'console') return console.parse(env, { refuseUnknownPrefix: 'WDS_' })
  const folder = mkdtempSync(join(tmpdir(), 'wds-settings-'))
  try {
    const url = 'postgresql://role:kei4Ohs2aeghooX7xah1@postgres-rw:5432/workspace_data?sslmode=verify-full'
    for (const file of ['database-url', 'worker-database-url']) writeFileSync(join(folder, file), url, { mode: 0o440 })
    const placed = Object.fromEntries(
      Object.entries(env).map(([key, value]) => [
        key,
        value.startsWith(mounted) ? value.replace(mounted, folder) : value,
      ]),
    )
    const service = { readSettings: readers[name] as Reader, refusals: refusals[name] }
    return readServiceSettings(service as never, { env: placed, execArgv: [] })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Names in an environment that its service does not know. */
export function unknownNames(name: string, env: Env): string[] {
  const rows = described[name]?.describe() ?? []
  const known = new Set(rows.flatMap((row) => (row.secret ? [row.name, `${row.name}_FILE`] : [row.name])))
  return Object.keys(env).filter((one) => !known.has(one) && !runtimes.test(one))
}
