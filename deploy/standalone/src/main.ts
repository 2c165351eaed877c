/** `npm start`: everything on one machine. Prints what to look at; Ctrl-C stops all of it and keeps the data. */
import { constants } from 'node:os'
import { isAlive } from '@wds/local-infra/process-liveness'
import { SettingsError } from '@wds/settings/settings'
import { type Flags, readCommandLine, UsageError, usage } from './command-line.ts'
import { settings } from './config.ts'
import { openDataFolder } from './data-folder.ts'
import { jsonLine, welcome } from './output.ts'
import { StartError } from './start-error.ts'
import { type Running, startAll } from './supervisor.ts'
import { unknownSettings } from './unknown-settings.ts'

const sameRequestMs = 2_000
const say = (line: string) => console.error(line)

async function start({ json, fresh, kafka }: Flags): Promise<{ running: Running; json: boolean }> {
  const values = settings.parse(process.env)
  const home = openDataFolder(values.WDS_DATA_DIR)
  // Positions in the database are those of one log, so each log has data of its own.
  const data = kafka ? openDataFolder(home.file('kafka')) : home
  say(`starting; the data are in ${data.path}`)
  for (const name of await unknownSettings(process.env)) say(`${name} is not a setting: nothing reads it`)
  const brokers = values.KAFKA_BROKERS
  const running = await startAll({
    data,
    fresh,
    log: !kafka ? 'postgres' : brokers === undefined ? 'kafka' : { brokers },
    writeOperator: (text) => home.write('operator.json', text),
    writeSampleApp: (text) => home.write('sample-app.json', text),
    routerPort: values.WDS_PORT,
    receiverPort: values.WDS_RECEIVER_PORT,
    sourcePort: values.WDS_SAMPLE_DATA === 'full' ? values.WDS_SOURCE_PORT : null,
    servicesFrom: values.WDS_SERVICE_PORTS_FROM,
    postgresPort: values.WDS_POSTGRES_PORT,
    kafkaPort: values.WDS_KAFKA_PORT,
    partitions: values.WDS_LOG_PARTITIONS,
    buildsDocs: values.WDS_DOCS_BUILD,
    fullSample: values.WDS_SAMPLE_DATA === 'full',
    sampleAppUrl: `http://localhost:${values.WDS_SAMPLE_APP_PORT}`,
    signal: calledOff.signal,
    onFatal: (why) => {
      say(why)
      stopping ??= shutDown(1)
    },
    say,
  })
  return { running, json }
}

const calledOff = new AbortController()
let running: Running | null = null
let stopping: Promise<void> | null = null
let stopRequestedMs = 0
/** Exit code of a start that is called off: 128 and the signal's number, as a shell has it. */
let calledOffCode = 143

/** Ends everything, then the process; a start under way is called off and ends by itself. */
async function shutDown(exitCode: number): Promise<void> {
  calledOff.abort(new StartError('the start was called off'))
  if (running === null) return
  say('stopping')
  await running.stop().catch((error: unknown) => {
    say(`stopping failed: ${String(error)}`)
    process.exit(1)
  })
  process.exit(exitCode)
}

/** A group signal reaches us directly and through the programs before us: what follows within 2 s is the same request. */
function onSignal(_name: string, number: number): void {
  if (stopping === null) {
    calledOffCode = 128 + number
    stopRequestedMs = performance.now()
    stopping = shutDown(0)
  } else if (performance.now() - stopRequestedMs > sameRequestMs) {
    say('stopping: still draining, Postgres last; this takes some seconds')
  }
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
// A terminal that is gone must not end the stop half way.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

/** Whoever started us, by its id: when that is killed, nobody passes a signal on. */
const starter = Number(process.env.WDS_BOOTSTRAP_PID ?? 0)
if (starter > 0) {
  const watch = setInterval(() => {
    if (isAlive(starter)) return
    clearInterval(watch)
    onSignal('SIGTERM', constants.signals.SIGTERM)
  }, 500)
  watch.unref()
}

try {
  const flags = readCommandLine(process.argv.slice(2))
  if (flags.help) {
    console.log(usage)
    process.exit(0)
  }
  const started = await start(flags)
  running = started.running
  if (calledOff.signal.aborted) await shutDown(0)
  console.log(started.json ? jsonLine(running) : welcome(running))
} catch (error) {
  if (calledOff.signal.aborted) process.exit(calledOffCode)
  if (error instanceof UsageError) {
    say(`${error.message}\n\n${usage}`)
    process.exit(2)
  }
  if (error instanceof StartError || error instanceof SettingsError) say(`cannot start: ${error.message}`)
  else say(`cannot start: ${(error as Error).stack ?? String(error)}`)
  process.exit(1)
}
