// Stops the Postgres and the Kafka of the test run and removes their folders; those that were there before are left alone.

import { dropTemplates } from './packages/local-infra/src/test-database.ts'

// biome-ignore lint/style/noDefaultExport: the test runner asks for one
export default async function tearDown() {
  globalThis.wdsKeepStacks?.()
  await globalThis.wdsTestBroker?.stop()
  if (!globalThis.wdsTestCluster) await dropTemplates()
  await globalThis.wdsTestCluster?.stop()
}
