// Where records and cells of a CSV file end, however the file is cut into pieces, and what is no CSV.
import { describe, expect, test } from '@jest/globals'
import { CsvFault, type CsvRecord, CsvSplitter } from './split-csv.ts'

function split(file: string | Buffer, pieceBytes = Number.POSITIVE_INFINITY): CsvRecord[] {
  const bytes = Buffer.from(file as string)
  const splitter = new CsvSplitter()
  const records: CsvRecord[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes)
    records.push(...splitter.push(bytes.subarray(at, at + pieceBytes)))
  return [...records, ...splitter.end()]
}

const cellsOf = (file: string | Buffer, pieceBytes?: number) =>
  split(file, pieceBytes).map((record) => record.cells ?? record.fault)

const files: [string, (string[] | string)[]][] = [
  ['', []],
  ['\n\r\n\n', []],
  ['a', [['a']]],
  ['a,b\n', [['a', 'b']]],
  [
    'a,b\r\nc,\n\n,\r\n',
    [
      ['a', 'b'],
      ['c', ''],
      ['', ''],
    ],
  ],
  ['"a"\n""\n', [['a'], ['']]],
  ['"a,""b""\r\nc",d\r\n', [['a,"b"\r\nc', 'd']]],
  ['a\rb,c\r', [['a\rb', 'c\r']]],
  ['\ufeffä,€\n', [['ä', '€']]],
  ['a\u0000,b\nc\n', ['bad_encoding', ['c']]],
]

test.each(files)('%j is read the same in one piece and byte by byte', (file, expected) => {
  for (const pieceBytes of [undefined, 1, 2, 3]) expect(cellsOf(file, pieceBytes)).toEqual(expected)
})

test('bytes that are no UTF-8 are the fault of their record alone', () => {
  expect(cellsOf(Buffer.from('a\n\xff\nb\n', 'latin1'))).toEqual([['a'], 'bad_encoding', ['b']])
})

test.each<[string, ConstructorParameters<typeof CsvSplitter>[0], string[]]>([
  ['a,b;"c;d""e"', { delimiter: ';', quote: '"' }, ['a,b', 'c;d"e']],
  ["'a\t'\tb'", { delimiter: '\t', quote: null }, ["'a", "'", "b'"]],
  ["'a|''b'|\"c", { delimiter: '|', quote: "'" }, ["a|'b", '"c']],
])('%j is read as it is said to be written', (file, form, cells) => {
  const splitter = new CsvSplitter(form)
  expect([...splitter.push(Buffer.from(file)), ...splitter.end()].map((record) => record.cells)).toEqual([cells])
})

test('a record is named by the line it begins on', () => {
  expect(split('a\n"b\n\n"\n\nc').map(({ line }) => line)).toEqual([1, 2, 6])
})

test.each([
  ['regression: a quote inside a cell that is not quoted', 'a\nb"c\n', 2],
  ['a cell that goes on behind its quotes', 'a\n"b"c\n', 2],
  ['a carriage return alone behind a quoted cell', '"b"\rc\n', 1],
  ['quotes that do not end', 'a\n"b\nc\n', 2],
])('%s is the fault of the file, on line %#', (_name, file, line) => {
  expect(() => split(file)).toThrow(CsvFault)
  try {
    split(file)
  } catch (error) {
    expect((error as CsvFault).line).toBe(line)
  }
})

describe('a record that is too large', () => {
  const large = 'x'.repeat(10_000_000)

  test.each([
    ['regression: a cell of 10 MB', `a\n${large},1\nb\n`],
    ['a quoted cell of 10 MB', `a\n"${large}\n",1\nb\n`],
    ['201 columns', `a\n${','.repeat(200)}\nb\n`],
    ['65,537 bytes', `a\n${large.slice(0, 65_536)},y\nb\n`],
  ])('of %s rejects itself alone', (_name, file) => {
    expect(cellsOf(file, 65_536)).toEqual([['a'], 'row_too_large', ['b']])
  })

  test('begins behind 65,536 bytes and 200 columns', () => {
    expect(cellsOf(`${large.slice(0, 65_535)},y\n`)[0]).toHaveLength(2)
    expect(cellsOf(`${','.repeat(199)}\n`)[0]).toHaveLength(200)
  })
})
