// The Python client's own tests, run by the machine's Python against servers of their own; and that it is of the version of all packages.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'

const root = join(import.meta.dirname, '../../../..')
const folder = join(root, 'packages/python-client')

test('its tests pass', () => {
  const env = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' }
  const { status, stderr } = spawnSync('python3', ['tests/test_client.py'], { cwd: folder, env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, expect.stringMatching(/Ran \d\d tests/)])
})

test('it has the version of all packages', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(readFileSync(join(folder, 'pyproject.toml'), 'utf8')).toContain(`\nversion = "${version}"\n`)
})
