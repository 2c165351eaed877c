import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { fileOf, secretOf, UsageError } from './command.ts'

const { INIT_CWD: before } = process.env
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wds-called-'))
  writeFileSync(join(folder, 'key'), 'wdsk_1\n')
})
afterEach(() => {
  if (before === undefined) delete process.env.INIT_CWD
  else process.env.INIT_CWD = before
})
afterAll(() => rmSync(folder, { recursive: true }))

test('regression: a file that an option names is meant from the folder that the command was called in', () => {
  process.env.INIT_CWD = folder
  expect(secretOf({ 'key-file': 'key' }, 'key-file')).toBe('wdsk_1')
  expect(secretOf({ 'key-file': join(folder, 'key') }, 'key-file')).toBe('wdsk_1')
  expect(fileOf({ logo: 'logo.png' }, 'logo')).toBe(join(folder, 'logo.png'))
  expect(() => secretOf({ 'key-file': 'package.json' }, 'key-file')).toThrow(
    new UsageError('the file of --key-file cannot be read'),
  )
})
