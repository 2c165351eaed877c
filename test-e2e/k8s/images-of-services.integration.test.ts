// Of the nightly run: the images of api, catalog and delivery without an engine, as images.integration.test.ts does it with auth's.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '../harness/standalone.ts'
import { type Images, openImages, strangersIn } from './image-folder.ts'

let images: Images
beforeAll(async () => {
  images = await openImages()
})
afterAll(() => images?.close())

test.each([
  ['api', '/v1/integrations', 401],
  ['catalog', '/v1/event-types', 200],
  ['delivery', '/v1/webhooks', 401],
] as const)('%s: migrates, gets ready, answers %s with %i and stops with 0', async (service, path, status) => {
  const cwd = await images.assemble(service)
  expect(strangersIn(cwd)).toEqual([])
  expect(await images.migrate(service, cwd)).toMatch(/migrations applied\n$/)
  const started = await images.start(service, cwd)
  await eventually(`${service} to be ready`, started.ready)
  expect(await started.status(path)).toBe(status)
  expect(await started.stop()).toEqual([0, null])
})
