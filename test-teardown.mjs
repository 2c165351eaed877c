// Stops the Postgres of the test run and removes its folder; one that was there before is left alone.

// biome-ignore lint/style/noDefaultExport: the test runner asks for one
export default async function tearDown() {
  await globalThis.wdsTestCluster?.stop()
}
