// Gives tests a Kafka: one broker for a run, started when the first suite asks for it. The runner's process owns it, so a
// worker that dies leaves nothing behind; workers ask over a socket whose path stands in WDS_TEST_KAFKA.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { inContainer, startKafkaContainer } from './containers.ts'
import { startKafka } from './kafka-broker.ts'
import { findKafka } from './kafka-jars.ts'
import { orphanedBroker } from './kafka-process.ts'
import { LocalInfraError, messageOf } from './local-infra-error.ts'
import { isAlive, signalProcess } from './process-liveness.ts'
import { atRunEnd } from './run-end.ts'
import { takeTestPorts } from './test-ports.ts'

/** The broker of the test run, or why there is none. */
export type TestBroker = { brokers: string } | { missing: string }

interface OwnBroker {
  brokers: string
  stop(): Promise<void>
}

const socketVariable = 'WDS_TEST_KAFKA'
const folderPrefix = 'wds-test-kafka-'
const startMs = 400_000

/** Answers workers that ask for the broker. `stop` ends the broker, if anybody asked, and removes its data. */
export async function serveTestBroker(): Promise<{ stop(): Promise<void> }> {
  removeAbandoned()
  const folder = mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`))
  const callOff = atRunEnd(() => removeBroker(folder))
  let own: Promise<OwnBroker> | undefined
  const server = createServer(async (socket) => {
    socket.on('error', () => undefined)
    own ??= startOwnBroker(join(folder, 'kafka'))
    const answer: TestBroker = await own.then(
      ({ brokers }) => ({ brokers }),
      (error) => ({ missing: messageOf(error) }),
    )
    socket.end(JSON.stringify(answer))
  })
  const path = join(folder, 'ask')
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  server.unref()
  process.env[socketVariable] = path
  const stop = async () => {
    server.close()
    await own?.then(
      (broker) => broker.stop(),
      () => undefined,
    )
    callOff()
    removeBroker(folder)
  }
  return { stop }
}

/**
 * The broker that tests share: KAFKA_BROKERS, else a container, else Java. Topics and groups of a test need names of
 * their own. Where there is no broker: `missing` and one line, or an error when KAFKA_TESTS=required (default under CI).
 */
export async function findTestBroker(): Promise<TestBroker> {
  const { KAFKA_BROKERS } = process.env
  if (KAFKA_BROKERS) return { brokers: KAFKA_BROKERS }
  const answer = await ask()
  if ('missing' in answer) skipUnlessRequired(answer.missing)
  return answer
}

/**
 * For suites that start brokers of their own with `startKafka`, to break them: null when they can, else why not and one
 * line, or an error when KAFKA_TESTS=required (default under CI).
 */
export async function whyNoOwnBroker(): Promise<string | null> {
  try {
    await findKafka({ onNotice: (line) => void process.stderr.write(`${line}\n`) })
    return null
  } catch (error) {
    skipUnlessRequired(messageOf(error))
    return messageOf(error)
  }
}

function skipUnlessRequired(missing: string): void {
  const { KAFKA_TESTS, CI } = process.env
  const required = (KAFKA_TESTS ?? (CI ? 'required' : '')) === 'required'
  if (required) throw new LocalInfraError(`Kafka tests are required and there is no Kafka: ${missing}`)
  process.stderr.write(`Kafka tests are skipped: ${missing}\n`)
}

async function ask(): Promise<TestBroker> {
  const path = process.env[socketVariable]
  if (!path) throw new LocalInfraError(`${socketVariable} is not set: run tests through \`npm test\`.`)
  const socket = connect(path)
  socket.setTimeout(startMs, () => socket.destroy(new Error('the broker of the test run did not start in time')))
  return JSON.parse(await text(socket)) as TestBroker
}

async function startOwnBroker(dataDirectory: string): Promise<OwnBroker> {
  const contained = await inContainer('Kafka', startKafkaContainer)
  if (contained !== null) return contained
  try {
    const { next } = await takeTestPorts()
    return await startKafka({ dataDirectory, port: await next() })
  } catch (error) {
    throw new LocalInfraError(
      `KAFKA_BROKERS is not set, no Docker engine answers, and Java cannot run it: ${messageOf(error)}`,
      { cause: error },
    )
  }
}

/** Brokers of runs that were killed hard. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(folderPrefix))) {
    const pid = Number(name.slice(folderPrefix.length).split('-', 1)[0])
    if (pid > 0 && !isAlive(pid)) removeBroker(join(tmpdir(), name))
  }
}

/** Ends the broker, if it lives, and removes its files. Synchronous: it runs while the process exits. */
function removeBroker(folder: string): void {
  const left = orphanedBroker(join(folder, 'kafka'))
  if (left) signalProcess(left.pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}
