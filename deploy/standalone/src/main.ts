/** `npm start`: everything on one machine. Prints what to look at; Ctrl-C stops all of it and keeps the data. */
import { parseArgs } from 'node:util'
import { SettingsError } from '@wds/settings/settings'
import { settings } from './config.ts'
import { openDataFolder } from './data-folder.ts'
import { jsonLine, welcome } from './output.ts'
import { StartError } from './start-error.ts'
import { type Running, startAll } from './supervisor.ts'

const say = (line: string) => console.error(line)

function readArguments(): { json: boolean; fresh: boolean } {
  try {
    const { values } = parseArgs({ options: { json: { type: 'boolean' }, fresh: { type: 'boolean' } } })
    return { json: values.json ?? false, fresh: values.fresh ?? false }
  } catch (error) {
    throw new StartError(`${(error as Error).message}. Usage: npm start -- [--json] [--fresh]`)
  }
}

async function start(): Promise<{ running: Running; json: boolean }> {
  const { json, fresh } = readArguments()
  const values = settings.parse(process.env)
  const data = openDataFolder(values.WDS_DATA_DIR)
  const running = await startAll({
    data,
    fresh,
    routerPort: values.WDS_PORT,
    receiverPort: values.WDS_RECEIVER_PORT,
    servicesFrom: values.WDS_SERVICE_PORTS_FROM,
    postgresPort: values.WDS_POSTGRES_PORT,
    partitions: values.WDS_LOG_PARTITIONS,
    say,
  })
  return { running, json }
}

let stopRequested = false
let running: Running | null = null

async function shutDown(): Promise<void> {
  if (stopRequested) process.exit(130)
  stopRequested = true
  if (running === null) return
  say('stopping')
  await running.stop()
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    shutDown().catch((error: unknown) => {
      say(`stopping failed: ${String(error)}`)
      process.exit(1)
    })
  })
}

try {
  const started = await start()
  running = started.running
  if (stopRequested) {
    await running.stop()
    process.exit(0)
  }
  console.log(started.json ? jsonLine(running) : welcome(running))
} catch (error) {
  if (error instanceof StartError || error instanceof SettingsError) say(`cannot start: ${error.message}`)
  else say(`cannot start: ${(error as Error).stack ?? String(error)}`)
  process.exit(1)
}
