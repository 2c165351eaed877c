import { afterEach, expect, test } from '@jest/globals'
import { fromCaller } from './caller-path.ts'

const { INIT_CWD: before } = process.env
afterEach(() => {
  if (before === undefined) delete process.env.INIT_CWD
  else process.env.INIT_CWD = before
})

test('under npm a relative path begins where npm was called, an absolute one stays', () => {
  process.env.INIT_CWD = '/somewhere/else'
  expect(['a.json', '../a.json', '/tmp/a.json'].map(fromCaller)).toEqual([
    '/somewhere/else/a.json',
    '/somewhere/a.json',
    '/tmp/a.json',
  ])
})

test('without npm it begins in the folder of the process', () => {
  delete process.env.INIT_CWD
  expect(fromCaller('a.json')).toBe(`${process.cwd()}/a.json`)
})
