/** Finds what looks like a setting in the environment and is none: most likely a misspelling, which would otherwise pass in silence. */
import { serviceNames } from '@wds/provision/provision'
import type { SettingRow } from '@wds/settings/settings'
import { settings } from './config.ts'
import type { Upstream } from './router.ts'
import { serviceUrl } from './services.ts'

interface Described {
  settings: { describe(): SettingRow[] }
}

/** What is no setting of a program, and read all the same: by migrations, the command line, the receiver, `bootstrap.mjs` and tests. */
const readElsewhere = /^WDS_(OWNER_DATABASE_URL|INTERNAL_URL|RECEIVER_SECRET|BOOTSTRAP_PID|FAULTS|DRAW_TRACE|TEST_.*)$/

/** Names that begin with WDS_ and that neither the standalone nor a service knows. */
export async function unknownSettings(env: NodeJS.ProcessEnv): Promise<string[]> {
  const strangers = namesUnknownTo(settings, Object.keys(env)).filter(
    (name) => name.startsWith('WDS_') && !readElsewhere.test(name),
  )
  // The services' are loaded only where there is something to judge by them: they cost a start as much as a program does.
  if (strangers.length === 0) return []
  let unknown = strangers
  for (const name of [...serviceNames, 'console'] as const) unknown = namesUnknownTo(await settingsOf(name), unknown)
  return unknown.sort()
}

async function settingsOf(service: Upstream): Promise<Described['settings']> {
  return ((await import(serviceUrl(service, 'config.ts'))) as Described).settings
}

function namesUnknownTo({ describe }: Described['settings'], names: string[]): string[] {
  const known = new Set(describe().map(({ name }) => name))
  return names.filter((name) => !known.has(name))
}
