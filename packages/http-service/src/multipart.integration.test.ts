// Forms of parts, as browsers send a file with its description: taken apart and judged like any body.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { call } from './widgets/exchange.ts'
import { startWidgets, type Widgets } from './widgets/widget-service.ts'

let widgets: Widgets
beforeAll(async () => {
  widgets = await startWidgets()
})
afterAll(() => widgets?.stop())

const boundary = 'a-boundary'
const part = (name: string, content: string, more = '') =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`
const widget = part('widget', '{"name":"one"}')
const picture = part('picture', '\u0001\u0002\u0000', '; filename="a.png"')
const end = `--${boundary}--\r\n`
const post = (body: string, headers: Record<string, string> = {}) =>
  call(`${widgets.url}/v1/widget-forms`, {
    method: 'POST',
    body,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
  })

describe('a form of parts', () => {
  test('is one object: parts of JSON, and bytes as they were sent', async () => {
    const { status, json } = await post(widget + picture + end)
    expect([status, json]).toEqual([201, { widget: { name: 'one' }, picture: '010200' }])
  })

  test('comes in chunks of any size, from any client', async () => {
    const form = new FormData()
    form.set('widget', new Blob(['{"name":"two"}'], { type: 'application/json' }))
    form.set('picture', new Blob([new Uint8Array([255, 0, 13, 10, 45, 45])]), 'a.png')
    const headers = { authorization: 'Bearer a' }
    const answer = await fetch(`${widgets.url}/v1/widget-forms`, { method: 'POST', headers, body: form })
    expect(await answer.json()).toEqual({ widget: { name: 'two' }, picture: 'ff000d0a2d2d' })
  })

  test('C11: its faults have pointers into the part', async () => {
    const { status, json } = await post(part('widget', '{"name":7,"hue":1}') + part('extra', '1') + end)
    expect([status, json.code]).toEqual([422, 'validation_failed'])
    expect(json.errors.map((fault: { pointer: string; code: string }) => [fault.pointer, fault.code]).sort()).toEqual([
      ['/extra', 'unknown_field'],
      ['/picture', 'required'],
      ['/widget/hue', 'unknown_field'],
      ['/widget/name', 'invalid_type'],
    ])
  })

  test.each([
    ['a part of JSON that is none', part('widget', '{"name":"a","name":"b"}') + picture + end, 400, 'malformed_json'],
    ['a part twice', widget + widget + picture + end, 400, 'invalid_request'],
    [
      'a part without a name',
      `${widget}${picture}--${boundary}\r\nContent-Disposition: form-data\r\n\r\nx\r\n${end}`,
      400,
      'invalid_request',
    ],
    ['21 parts', Array.from({ length: 21 }, (_, at) => part(`p${at}`, '1')).join('') + end, 400, 'invalid_request'],
    ['an end within a part', widget + picture.slice(0, -4), 400, 'invalid_request'],
    ['another boundary', (widget + picture + end).replaceAll(boundary, 'another'), 400, 'invalid_request'],
    ['no parts', '', 422, 'validation_failed'],
    ['more bytes than the route takes', widget + part('picture', 'x'.repeat(5_000)) + end, 413, 'payload_too_large'],
  ])('with %s is refused', async (_what, body, status, code) => {
    const answer = await post(body)
    expect([answer.status, answer.json.code]).toEqual([status, code])
  })

  test('without a boundary it is 400, as another media type 415', async () => {
    const without = await post(widget + end, { 'content-type': 'multipart/form-data' })
    expect([without.status, without.json.code]).toEqual([400, 'invalid_request'])
    const other = await post('{}', { 'content-type': 'application/json' })
    expect([other.status, other.json.code]).toEqual([415, 'unsupported_media_type'])
  })

  test('C30: the same form under another boundary is the same request, other bytes are another', async () => {
    const key = { 'idempotency-key': 'form-1' }
    const other = { ...key, 'content-type': 'multipart/form-data; boundary=b2' }
    const first = await post(widget + picture + end, key)
    const again = await post((picture + widget + end).replaceAll(boundary, 'b2'), other)
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true'])
    const changed = await post(widget + picture.replace('\u0001', '\u0003') + end, key)
    expect([changed.status, changed.json.code]).toEqual([422, 'idempotency_key_reused'])
  })
})
