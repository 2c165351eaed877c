import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { diskPrefix, removeAbandonedStacks } from './abandoned-stacks.ts'

test('what a run that was killed left is removed, also on a small disk; what a run that lives has stays', async () => {
  const { pid: dead } = spawnSync(process.execPath, ['--version'])
  const stack = mkdtempSync(join(tmpdir(), `wds-stack-${dead}-`))
  const disk = mkdtempSync(join(tmpdir(), `wds-disk-${dead}-`))
  mkdirSync(join(disk, `wds-stack-${dead}-inner`))
  const own = mkdtempSync(join(tmpdir(), diskPrefix))
  try {
    await removeAbandonedStacks()
    expect([stack, disk, own].map((folder) => existsSync(folder))).toEqual([false, false, true])
  } finally {
    for (const folder of [stack, disk, own]) rmSync(folder, { recursive: true, force: true })
  }
})
