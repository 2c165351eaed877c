// Where rows of a JSON document begin and end, however it is cut into pieces.
import { expect, test } from '@jest/globals'
import { holdsLoopAtMost } from '@wds/telemetry/event-loop'
import fc from 'fast-check'
import { JsonFault, JsonSplitter, pointerParts } from './split-json.ts'

interface Split {
  rows: (string | null)[]
  hasRows: boolean
  link: string | null
}

function split(text: string | Buffer, o: { rows?: string; link?: string; piece?: number } = {}): Split {
  const linkAt = o.link === undefined ? null : pointerParts(o.link)
  const splitter = new JsonSplitter({ rowsAt: pointerParts(o.rows ?? '') ?? [], linkAt })
  const bytes = Buffer.from(text)
  const rows: (string | null)[] = []
  const { piece = bytes.length || 1 } = o
  for (let at = 0; at < bytes.length; at += piece) {
    for (const row of splitter.push(bytes.subarray(at, at + piece))) rows.push(row.bytes?.toString() ?? null)
  }
  splitter.end()
  return { rows, hasRows: splitter.hasRows, link: splitter.link?.toString() ?? null }
}

const page =
  '{"a":[{"rows":[9]}],"data":{"n":1,"rows":[{"x":"]}\\"","y":[1,{"z":2}]}, 7 ,null, "s",[]]},"next":{"url":"p?2"}}'

test('the elements of the array at the pointer are the rows, the value at the other is the link', () => {
  expect(split(page, { rows: '/data/rows', link: '/next/url' })).toEqual({
    rows: ['{"x":"]}\\"","y":[1,{"z":2}]}', '7', 'null', '"s"', '[]'],
    hasRows: true,
    link: '"p?2"',
  })
  expect(split(page, { rows: '/a/0/rows' }).rows).toEqual(['9'])
  expect(split('[1,[2],{"a":3}]')).toEqual({ rows: ['1', '[2]', '{"a":3}'], hasRows: true, link: null })
  expect(split('{"a/b":{"~":[1]}}', { rows: '/a~1b/~0' }).rows).toEqual(['1'])
  expect(split('{"\\u0061":[1]}', { rows: '/a' }).rows).toEqual(['1'])
})

test('no array at the pointer is told, null counts as no rows', () => {
  expect(split(page, { rows: '/nowhere' }).hasRows).toBe(false)
  expect(split(page, { rows: '/data/n' }).hasRows).toBe(false)
  expect(split('{"data":{"rows":{"0":1}}}', { rows: '/data/rows' })).toMatchObject({ rows: [], hasRows: false })
  expect(split('{"rows":null}', { rows: '/rows' })).toEqual({ rows: [], hasRows: true, link: null })
})

test('any document, cut anywhere, has the rows that the whole has', () => {
  const rows = fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 8 })
  fc.assert(
    fc.property(
      rows,
      fc.jsonValue({ maxDepth: 2 }),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      (values, other, piece, wide) => {
        const text = JSON.stringify({ other, data: { rows: values }, next: other }, null, wide ? 2 : 0)
        const found = split(text, { rows: '/data/rows', link: '/next', piece })
        expect(found.rows.map((row) => JSON.parse(row ?? ''))).toEqual(JSON.parse(JSON.stringify(values)))
        expect(JSON.parse(found.link ?? '')).toEqual(JSON.parse(JSON.stringify(other)))
      },
    ),
  )
})

test.each([
  '',
  '[1',
  '[1,',
  '[1}',
  '{"a":1',
  '{"a" 1}',
  '{a:1}',
  '[,1]',
  '[1,]',
  '{"a":1,}',
  '[1] 2',
  '"',
  'nonsense',
  '['.repeat(65),
])('%j is no document', (text) => expect(() => split(text, { piece: 1 })).toThrow(JsonFault))

test('a row that is too large is passed over, those behind it are read', () => {
  const text = `["${'x'.repeat(70_000)}",{"a":1}]`
  for (const piece of [1_000, 65_536, 1_000_000]) expect(split(text, { piece }).rows).toEqual([null, '{"a":1}'])
})

test('XT08: pieces of any document are split without holding the event loop', async () => {
  for (const unit of ['[', '{"a":', '"\\\\', '1 ,', '[{"a":"b"},']) {
    const piece = Buffer.from(unit.repeat(Math.ceil(65_536 / unit.length)))
    await holdsLoopAtMost(50, () => {
      try {
        return [...new JsonSplitter({ rowsAt: [], linkAt: ['a'] }).push(piece)].length
      } catch (error) {
        if (!(error instanceof JsonFault)) throw error
        return 0
      }
    })
  }
})
