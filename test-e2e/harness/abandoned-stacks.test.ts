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
  const noted = mkdtempSync(join(tmpdir(), `wds-noted-${dead}-`))
  const report = mkdtempSync(join(tmpdir(), `wds-faults-${dead}-`))
  const cluster = mkdtempSync(join(tmpdir(), `wds-test-${dead}-`))
  const authority = mkdtempSync(join(tmpdir(), `wds-authority-${dead}-`))
  const own = mkdtempSync(join(tmpdir(), diskPrefix))
  try {
    await removeAbandonedStacks()
    const folders = [stack, disk, noted, report, cluster, authority, own]
    expect(folders.filter((folder) => existsSync(folder))).toEqual([own])
  } finally {
    for (const folder of [stack, disk, noted, report, cluster, authority, own])
      rmSync(folder, { recursive: true, force: true })
  }
})
