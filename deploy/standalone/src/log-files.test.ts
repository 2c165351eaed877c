import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { lastLine, openLog, rotateWhenFull } from './log-files.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wds logs '))
  file = join(folder, 'logs/program.log')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a program that goes on writing never fills more than two files, and its newest lines are kept', () => {
  const log = openLog(file)
  const bytesMax = 10_000
  const line = `${'x'.repeat(99)}\n`
  for (let nth = 0; nth < 1_000; nth += 1) {
    writeSync(log, line)
    rotateWhenFull(file, bytesMax)
    expect(statSync(file).size).toBeLessThanOrEqual(bytesMax)
  }
  writeSync(log, 'the last line\n')
  expect(lastLine(file)).toBe('the last line')
  expect(statSync(`${file}.1`).size).toBe(bytesMax + line.length)
  expect(readFileSync(`${file}.1`, 'utf8')).toBe(line.repeat(101))
  expect(statSync(`${file}.1`).mode & 0o777).toBe(0o600)
})

test('old lines that cannot be kept do not keep a log from being cut', () => {
  openLog(file)
  mkdirSync(`${file}.1`)
  appendFileSync(file, 'x'.repeat(2_000))
  expect(() => rotateWhenFull(file, 1_000)).toThrow()
  expect(statSync(file).size).toBe(0)
})

test('a log that is not there has no last line', () => {
  expect(lastLine(file)).toBe('')
  rotateWhenFull(file)
})
