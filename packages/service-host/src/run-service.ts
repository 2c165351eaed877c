// Runs a service's process: serves, applies its migrations, or carries out a command that the service adds.

import { withoutUndefined } from '@wds/contracts/without-undefined'
import { migrate } from '@wds/postgres/migrations'
import { defineSettings } from '@wds/settings/settings'
import { redactText } from '@wds/telemetry/redaction'
import { addressFiles } from './follow-passwords.ts'
import { logCommands } from './log-commands.ts'
import { oneLine, runProcess } from './process.ts'
import { readServiceSettings } from './read-settings.ts'
import { reencryptCommand } from './reencrypt-secrets.ts'
import type { Service } from './service.ts'
import { ownerSettings, type ServiceValues } from './service-settings.ts'
import { startService } from './start-service.ts'

/** Does what the first argument of the process says; without one it serves until a signal. */
export function runService<V extends ServiceValues, S, W>(service: Service<V, S, W>): void {
  const { name } = service
  const [word, ...args] = process.argv.slice(2)
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const commands: Record<string, (env: NodeJS.ProcessEnv) => Promise<number>> = withoutUndefined({
    ...logCommands(service, { args, print }),
    'reencrypt-secrets': service.secrets === undefined ? undefined : reencryptCommand(name, service.secrets),
    ...service.commands,
  })
  const known = `commands: migrate, ${Object.keys(commands).join(', ')}; without one the service runs`
  if (word === undefined) {
    const start = (signal: AbortSignal) =>
      startService(service, {
        values: readServiceSettings(service, process),
        addressFiles: addressFiles(process.env),
        signal,
      })
    runProcess({ name, start })
  } else if (word === 'migrate') void finish(name, () => applyMigrations(service))
  else if (Object.hasOwn(commands, word)) void finish(name, () => commands[word]?.(process.env) ?? Promise.resolve(1))
  else if (word === '--help' || word === '-h') print(known)
  else {
    process.stderr.write(`${name}: there is no such command; ${known}\n`)
    process.exitCode = 2
  }
}

async function applyMigrations(o: { name: string; migrations: URL[] }): Promise<number> {
  const { WDS_OWNER_DATABASE_URL: connectionString } = defineSettings(ownerSettings).parse(process.env)
  const applied = await migrate({ connectionString, schema: o.name, directories: o.migrations })
  for (const migration of applied) process.stdout.write(`${migration}\n`)
  process.stdout.write(`${o.name}: ${applied.length} migrations applied\n`)
  return 0
}

/** Ends with the command's exit code; a fault is one line and 1. */
async function finish(name: string, command: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command()
  } catch (error) {
    process.stderr.write(`${name}: ${redactText(oneLine(error))}\n`)
    process.exitCode = 1
  }
}
