// A browser that nobody closes holds the whole run: it is launched once everything else of its suite is there.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { eventually } from '../harness/standalone.ts'
import { startConsoleRig } from './console-rig.ts'

/** Processes that this one has started and that go on running. */
const children = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length

test('regression: a product that does not start leaves no browser open', async () => {
  const before = children()
  await expect(startConsoleRig({ WDS_PORT: 'none' })).rejects.toThrow('WDS_PORT')
  await eventually('no process is left', async () => children() === before, 20_000)
})

test('regression: no suite launches a browser beside a start that may fail', () => {
  const folder = join(import.meta.dirname, '..')
  const beside = globSync('**/*.ts', { cwd: folder, exclude: ['**/node_modules'] }).filter((file) =>
    /Promise\.all\(\[[^\]]*launchChromium\(/.test(readFileSync(join(folder, file), 'utf8')),
  )
  expect(beside).toEqual([])
})
