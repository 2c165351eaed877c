import { expect, test } from '@jest/globals'
import { choiceOf, OptionFault, parseWords, readCommandLine, requireWritable, wholeOf } from './command-line.ts'

const options = { seed: { type: 'string' }, count: { type: 'string', default: '7' } } as const

test('options, with their defaults where nothing is said, and words; --help counts whatever stands beside it', () => {
  expect(parseWords(['--seed', '3', 'here'], { options, takesWords: true })).toEqual({
    values: { seed: '3', count: '7' },
    words: ['here'],
  })
  expect(parseWords(['--count=9', '--help'], { options })).toBe('help')
})

test.each([
  [['--sed=3'], "Unknown option '--sed'"],
  [['here'], "Unexpected argument 'here'"],
  [['--seed'], "Option '--seed <value>' argument missing"],
])('%j is a fault of the words', (args, sentence) => {
  const parse = () => parseWords(args, { options })
  expect(parse).toThrow(OptionFault)
  expect(parse).toThrow(sentence)
})

test.each(['0', '11', '1.5', 'many', ''])('%j is no whole number from 1 to 10', (text) => {
  expect(() => wholeOf('count', text, 10)).toThrow(new OptionFault('--count must be 1 to 10'))
})

test('one of the choices, which the fault tells; what every object has is none', () => {
  const choices = new Map([
    ['postgres', 1],
    ['kafka', 2],
    ['both', 3],
  ])
  expect(choiceOf('log', 'kafka', choices)).toBe(2)
  for (const text of ['mysql', 'toString'])
    expect(() => choiceOf('log', text, choices)).toThrow(new OptionFault('--log must be postgres, kafka or both'))
})

test('regression: a file that cannot be written is told before anything is done; without one there is nothing to tell', () => {
  expect(() => requireWritable('json', '/no/such/folder/bench.json')).toThrow('--json cannot be written: ENOENT')
  expect(() => requireWritable('json', null)).not.toThrow()
})

test('what the program itself does wrong is no fault of the words', () => {
  const wrong = new TypeError('not ready')
  const read = () =>
    readCommandLine({ name: 'x', usage: '' }, () => {
      throw wrong
    })
  expect(read).toThrow(wrong)
})
