// Starts one Postgres for the whole test run, and what starts one Kafka when a suite asks for it. It starts no Postgres
// when WDS_TEST_POSTGRES_URL already names one. NODE_COMPILE_CACHE is where every process of the run keeps compiled sources,
// which halves the CPU of a start. WDS_TEST_PROBLEMS, WDS_TEST_METRICS and WDS_TEST_EVENTS name the files for the problems that
// suites produce, the metrics that they emit and the types of the events that they announce.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveTestBroker } from './packages/local-infra/src/test-broker.ts'
import { startTestCluster } from './packages/local-infra/src/test-database.ts'
import { notedPrefix, removeStacksAtRunEnd } from './test-e2e/harness/abandoned-stacks.ts'

// biome-ignore lint/style/noDefaultExport: the test runner asks for one
export default async function setUp() {
  if (!process.env.WDS_TEST_PROBLEMS) {
    const folder = mkdtempSync(join(tmpdir(), notedPrefix))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    process.env.WDS_TEST_PROBLEMS = join(folder, 'problems')
    process.env.WDS_TEST_METRICS = join(folder, 'metrics')
    process.env.WDS_TEST_EVENTS = join(folder, 'events')
    process.env.NODE_COMPILE_CACHE ??= join(folder, 'compile-cache')
  }
  process.env.WDS_TEST_RUN = randomBytes(4).toString('hex')
  // Its workers have no say when they are ended.
  globalThis.wdsKeepStacks = removeStacksAtRunEnd()
  globalThis.wdsTestBroker = await serveTestBroker()
  if (process.env.WDS_TEST_POSTGRES_URL) return
  const cluster = await startTestCluster()
  process.env.WDS_TEST_POSTGRES_URL = cluster.url
  globalThis.wdsTestCluster = cluster
}
