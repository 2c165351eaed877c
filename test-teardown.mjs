// Stops the Postgres and the Kafka of the test run and removes their folders; those that were there before are left alone.

// biome-ignore lint/style/noDefaultExport: the test runner asks for one
export default async function tearDown() {
  await globalThis.wdsTestBroker?.stop()
  await globalThis.wdsTestCluster?.stop()
}
