// Starts one Postgres for the whole test run. It starts none when WDS_TEST_POSTGRES_URL already names one.
import { startTestCluster } from './packages/local-infra/src/test-database.ts'

// biome-ignore lint/style/noDefaultExport: the test runner asks for one
export default async function setUp() {
  if (process.env.WDS_TEST_POSTGRES_URL) return
  const cluster = await startTestCluster()
  process.env.WDS_TEST_POSTGRES_URL = cluster.url
  globalThis.wdsTestCluster = cluster
}
