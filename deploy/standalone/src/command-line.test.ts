import { expect, test } from '@jest/globals'
import { readCommandLine, UsageError } from './command-line.ts'

test.each([[['--help']], [['-h']], [['help']], [['--json', '-h']]])('regression: %j asks for help', (args) => {
  expect(readCommandLine(args).help).toBe(true)
})

test('flags are taken in any order', () => {
  expect(readCommandLine(['--kafka', '--json'])).toEqual({ help: false, json: true, fresh: false, kafka: true })
})

test.each([['--frsh'], ['start'], ['--json=no']])('%s is not understood', (word) => {
  expect(() => readCommandLine([word])).toThrow(UsageError)
})
