/** Brings the schemas to what the code needs. Skipped when the stamp says that nothing changed since the last start. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type ProvisionedUrls, provision, serviceNames } from '@wds/provision/provision'
import type { DataFolder } from './data-folder.ts'
import { migrateEnv, serviceScript } from './services.ts'
import { StartError } from './start-error.ts'

const run = promisify(execFile)

/** Changes with every migration file and with the code that makes roles. */
function fingerprint(): string {
  const root = join(import.meta.dirname, '../../..')
  const hash = createHash('sha256')
  const sources = ['{packages,services}/*/src/{log-,}migrations/**/*.sql', 'packages/provision/src/provision.ts']
  const files = globSync(sources, { cwd: root })
  for (const name of files.sort()) hash.update(name).update(readFileSync(join(root, name)))
  return hash.digest('hex')
}

async function migrateService(name: (typeof serviceNames)[number], urls: ProvisionedUrls): Promise<void> {
  try {
    await run(process.execPath, [serviceScript(name), 'migrate'], { env: migrateEnv(name, urls), timeout: 120_000 })
  } catch (error) {
    const { stderr } = error as { stderr?: string }
    throw new StartError(
      `the migrations of ${name} failed: ${(stderr ?? '').trim().split('\n').at(-1) ?? String(error)}`,
    )
  }
}

/** @returns the address of the database for each role. */
export async function prepareDatabase(adminUrl: string, data: DataFolder): Promise<ProvisionedUrls> {
  const stamp = fingerprint()
  const known = JSON.parse(data.read('migrated') ?? '{}') as {
    stamp?: string
    adminUrl?: string
    urls?: ProvisionedUrls
  }
  if (known.stamp === stamp && known.adminUrl === adminUrl && known.urls !== undefined) return known.urls
  // Loaded only when there is something to do: a start with nothing new is faster by what they weigh.
  const { migrate } = await import('@wds/postgres/migrations')
  const { logMigrationsDirectory } = await import('@wds/event-log/postgres-log')
  const urls = await provision({ adminUrl, passwordOf: data.passwordOf })
  await migrate({ connectionString: urls.log.owner, schema: 'log', directories: [logMigrationsDirectory] })
  await Promise.all(serviceNames.map((name) => migrateService(name, urls)))
  data.write('migrated', JSON.stringify({ stamp, adminUrl, urls }))
  return urls
}
