// What is read of a page, what counts as the output that it shows, and how files come into it.
import { describe, expect, test } from '@jest/globals'
import { differenceOf } from './compare-output.ts'
import { drawSequence, withDiagrams } from './draw-sequence.ts'
import { withFiles } from './include-files.ts'
import { readPage } from './read-page.ts'

const page = (...lines: string[]) => lines.join('\n')

describe('a page', () => {
  test('is commands, outputs and files, in their order; other blocks are only read', () => {
    const markdown = page(
      '# Title',
      '```sh',
      'echo one',
      '```',
      '```text output',
      'one',
      '```',
      '```json',
      '{}',
      '```',
      '```js file=a.mjs',
      'a()',
      '```',
      '```sh terminal=receiver',
      'node a.mjs',
      '```',
      '```text browser',
      'open http://localhost:3000/',
      'press Allow',
      '```',
    )
    expect(readPage(markdown)).toEqual([
      { kind: 'run', terminal: 'main', commands: 'echo one\n', line: 3 },
      { kind: 'see', terminal: 'main', text: 'one\n', line: 6 },
      { kind: 'save', name: 'a.mjs', text: 'a()\n', line: 12 },
      { kind: 'run', terminal: 'receiver', commands: 'node a.mjs\n', line: 15 },
      { kind: 'browse', lines: ['open http://localhost:3000/', 'press Allow'], line: 18 },
    ])
  })

  test('may have blocks within a list, whose indent is none of theirs', () => {
    const [step] = readPage(page('1. Do:', '', '   ```sh', '   echo \\', '     two', '', '   ```'))
    expect(step).toMatchObject({ commands: 'echo \\\n  two\n\n' })
  })

  test('with a block that does not end is refused', () => {
    expect(() => readPage(page('```sh', 'echo'))).toThrow('line 1')
  })
})

describe('an output', () => {
  const id = 'evt_01M8BT08MZ8B1DQ3KR4DZ44KC2'
  const same: [shown: string, printed: string][] = [
    ['a\nb\n', '\na\nb\n\n'],
    [`kept: ${id}`, 'kept: evt_01K0BT08MZ8B1DQ3KR4DZ44K00'],
    ['at 2026-11-26T11:30:01.696Z', 'at 2027-01-01T00:00:00Z'],
    ['{"id":"x",…,"status":"ok"}', '{"id":"x","other":[1,2],"status":"ok"}'],
    ['first\n…\nlast', 'first\nsecond\nthird\nlast'],
    ['first\n…', 'first'],
    ['secret whsec_abc', 'secret whsec_XYZ/9='],
    ['t=1735689600,v1='.padEnd(80, 'a'), 't=1999999999,v1='.padEnd(80, '0')],
  ]
  test.each(same)('%j is %j', (shown, printed) => expect(differenceOf(shown, printed)).toBeNull())

  const different: [shown: string, printed: string, told: string][] = [
    ['a', 'b', 'shown: a\nprinted: b'],
    ['a\nb', 'a', 'shown: b\nprinted: nothing more'],
    ['a', 'a\nb', 'printed and not shown: b'],
    [`kept: ${id}`, 'kept: dlv_01M8BT08MZ8B1DQ3KR4DZ44KC2', 'shown: kept'],
    ['{"status":"ok"}', '{"status":"ok","more":1}', 'shown'],
    ['first\n…\nlast', 'first\nsecond', 'shown: last'],
    ['a.c', 'abc', 'shown: a.c'],
  ]
  test.each(different)('%j is not %j', (shown, printed, told) => expect(differenceOf(shown, printed)).toContain(told))
})

describe('a file that a page shows', () => {
  const read = (path: string) => `text of ${path}\n\nend\n`

  test('takes the place of what the block held', () => {
    const markdown = page('<!-- from: ../a.mjs -->', '', '```js file=a.mjs', 'old', '```', 'rest')
    const shown = page('<!-- from: ../a.mjs -->', '', '```js file=a.mjs', 'text of ../a.mjs', '', 'end', '```', 'rest')
    expect(withFiles(markdown, read)).toBe(shown)
    expect(withFiles(shown, read)).toBe(shown)
  })

  test('whose block is not there is refused', () => {
    expect(() => withFiles(page('<!-- from: ../a.mjs -->', 'text'), read)).toThrow('1 of 1')
  })
})

describe('a sequence diagram', () => {
  test('is text: a line of life for each, arrows both ways, room for every label', () => {
    const { text, steps } = drawSequence('a | somebody | c\na -> c: over all\nsomebody: alone\nc -> somebody: back')
    expect(steps).toBe(3)
    expect(text.split('\n')).toEqual([
      ' a  somebody       c',
      ' |      |          |',
      ' | 1 over all      |',
      ' |---------------->|',
      ' |      |          |',
      ' |      | 2 alone  |',
      ' |      |          |',
      ' |      | 3 back   |',
      ' |      |<---------|',
      ' |      |          |',
    ])
  })

  test('breaks a label that is long, so that a page has room for all who take part', () => {
    const { text } = drawSequence('a | b\na -> b: what nobody would read in one line')
    expect(text.split('\n').slice(2, 4)).toEqual([' | 1 what nobody would  |', ' | read in one line     |'])
  })

  test('has a name for each end of a step', () => {
    expect(() => drawSequence('a | b\na -> x: lost')).toThrow('a -> x: lost')
  })

  const drawn = (list: string) =>
    page('<!-- sequence: Title', 'a | b', 'a -> b: go', '-->', '', '```text', 'old', '```', '', list)

  test('takes the place of what the block held', () => {
    const text = withDiagrams(drawn('1. it goes'))
    expect(text).toContain('```text title="Title"\n a')
    expect(text).not.toContain('old')
    expect(withDiagrams(text)).toBe(text)
  })

  test.each(['no list', '1. one\n2. two', '# Next\n\n1. of another part'])(
    'is told in words, step by step, not as %j',
    (list) => {
      expect(() => withDiagrams(drawn(list))).toThrow('Title: 1 steps are drawn')
    },
  )

  test('without a block is refused', () => {
    expect(() => withDiagrams('<!-- sequence: Title\na | b\n-->\n')).toThrow('1 of 1')
  })
})
