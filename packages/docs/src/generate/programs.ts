// Reads the declared settings of every program. The only place that reaches into services, and for their config.ts alone.
import type { SettingRow } from '@wds/settings/settings'

/** A program with its settings, in the order of their declaration. */
export interface Program {
  name: string
  /** What it is, as a sentence without its end. */
  title: string
  rows: SettingRow[]
}

const programs = [
  ['standalone', 'Everything on one machine (`npm start`)', 'deploy/standalone'],
  ['auth', 'Workspaces and keys', 'services/auth'],
  ['api', 'Integrations, syncs, stats', 'services/api'],
  ['catalog', 'The event catalog', 'services/catalog'],
  ['delivery', 'Webhooks', 'services/delivery'],
  ['console', 'The pages', 'services/console'],
] as const

/** `root`: the repository's folder. Throws when a config.ts has no export `settings`. */
export async function readPrograms(root: URL): Promise<Program[]> {
  return await Promise.all(
    programs.map(async ([name, title, folder]) => {
      const module: unknown = await import(new URL(`${folder}/src/config.ts`, root).href)
      const { settings } = module as { settings?: { describe(): SettingRow[] } }
      if (settings === undefined) throw new Error(`${folder}/src/config.ts exports no settings`)
      return { name, title, rows: settings.describe() }
    }),
  )
}
