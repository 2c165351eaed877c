import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { identityOf, isAlive } from '@wds/local-infra/process-liveness'
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

test('regression: the brokers that a suite of the log had for itself end, too, where nobody had found them', async () => {
  const { pid: dead } = spawnSync(process.execPath, ['--version'])
  const folder = mkdtempSync(join(tmpdir(), `wds-broker-${dead}-`))
  // One of a cluster.
  const data = join(mkdtempSync(join(folder, `wds-broker-${dead}-`)), 'kafka')
  const lives = spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 1_000)'])
  const ended = once(lives, 'exit')
  try {
    await once(lives, 'spawn')
    mkdirSync(data)
    const { pid = 0 } = lives
    const ports = { broker: 1, controller: 2 }
    writeFileSync(join(data, 'wds-broker.json'), JSON.stringify({ pid, identity: identityOf(pid), ports }))
    await removeAbandonedStacks()
    expect(existsSync(folder)).toBe(false)
    expect((await ended)[1]).toBe('SIGTERM')
  } finally {
    lives.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})

test('regression: a copy of its Postgres that a test had started ends, too, where a standby had lived on for ever', async () => {
  const { pid: dead } = spawnSync(process.execPath, ['--version'])
  const folder = mkdtempSync(join(tmpdir(), `wds-stack-${dead}-`))
  chmodSync(folder, 0o711)
  const copies = ['standby', 'backup'].map((name) => {
    const data = join(folder, name)
    mkdirSync(data)
    writeFileSync(join(data, 'PG_VERSION'), '17\n')
    // A postmaster is known by the folder that it stands in.
    const server = spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 1_000)'], { cwd: data })
    writeFileSync(join(data, 'postmaster.pid'), `${server.pid}\n${data}\n0\n0\n\n`)
    return server
  })
  try {
    await Promise.all(copies.map((server) => once(server, 'spawn')))
    await removeAbandonedStacks()
    expect(existsSync(folder)).toBe(false)
    expect(copies.map(({ pid = 0 }) => isAlive(pid))).toEqual([false, false])
  } finally {
    for (const server of copies) server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})
