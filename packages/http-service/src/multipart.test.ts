// A form that is made to be costly is refused before it costs much.
import { expect, test } from '@jest/globals'
import { holdsLoopAtMost } from '@wds/telemetry/event-loop'
import { readParts } from './multipart.ts'

test.each([
  ['boundaries with nothing in between', '\r\n--b'],
  ['parts without a header', '--b\r\n\r\n'],
])('regression: 1 MiB of %s does not hold the event loop', async (_what, text) => {
  const body = Buffer.from(text.repeat(Math.floor(1_048_576 / text.length)))
  const refusal = await holdsLoopAtMost(100, () => readParts(body, 'multipart/form-data; boundary=b'))
  expect(refusal).toMatchObject({ code: 'invalid_request', detail: 'The body has more than 20 parts.' })
})
