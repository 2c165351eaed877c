// How an export writes cells.
import { expect, test } from '@jest/globals'
import { CsvSplitter } from '../../sources/domain/split-csv.ts'
import { csvRecord } from './csv.ts'

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\n=1+1', '=HYPERLINK("http://x","y")'])(
  'C73, XT11: a text that begins as a formula does gets an apostrophe: %j',
  (text) => {
    const [record] = new CsvSplitter().push(Buffer.from(csvRecord([text, 'end'])))
    expect(record?.cells?.[0]).toBe(`'${text}`)
  },
)

test('C73: numbers are written as they are, also negative ones, and null as an empty cell', () => {
  expect(csvRecord([-5, 0.25, null, 0, 9_007_199_254_740_991])).toBe('-5,0.25,,0,9007199254740991\r\n')
})

test('C73: commas, quotes and line ends are read back as they were; a text with none of them has no quotes', () => {
  const cells = ['a,b', 'say "hi"', 'two\r\nlines', 'x', 'a=b', "'", 'ü']
  const text = csvRecord(cells)
  const splitter = new CsvSplitter()
  const records = [...splitter.push(Buffer.from(text)), ...splitter.end()]
  expect(records.map((record) => record.cells)).toEqual([cells])
  expect(text).toBe('"a,b","say ""hi""","two\r\nlines",x,a=b,\',ü\r\n')
})
