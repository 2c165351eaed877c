/** The lock of a data folder, with other processes and another user. */
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { becomeSingleInstance, type SingleInstance } from './single-instance.ts'
import { StartError } from './start-error.ts'

let folder: string
let held: SingleInstance | null = null
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wds lock '))
  chmodSync(folder, 0o755)
})
afterEach(() => {
  held?.release()
  held = null
  rmSync(folder, { recursive: true })
})

test('regression: a second supervisor is refused with the process id of the first, by whatever name it calls the folder, until the first has ended', async () => {
  const link = join(folder, 'link')
  symlinkSync(folder, link)
  held = await becomeSingleInstance(folder)
  for (const name of [folder, link, `${folder}/.`]) {
    const error = await becomeSingleInstance(name).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StartError)
    expect((error as StartError).message).toMatch(
      new RegExp(`^already running on the data folder .* \\(process ${process.pid}\\): stop that one first$`),
    )
  }
  held.release()
  held = await becomeSingleInstance(link)
})

test('regression: while the first one is stopping nobody is told to stop it', async () => {
  held = await becomeSingleInstance(folder)
  held.announceStop()
  await expect(becomeSingleInstance(folder)).rejects.toThrow(
    new RegExp(
      `^the one before \\(process ${process.pid}\\) is still stopping on the data folder .*: start again in some seconds$`,
    ),
  )
})

const asRoot = process.getuid?.() === 0
;(asRoot ? test : test.skip)(
  "another user's lock is one clear sentence, while it is held and when it was left behind",
  async () => {
    const url = JSON.stringify(new URL('./single-instance.ts', import.meta.url).href)
    const tryAsNobody = async (end: string) => {
      const program = `
      const { becomeSingleInstance } = await import(${url})
      const said = await becomeSingleInstance(${JSON.stringify(folder)}).then(() => 'taken', (error) => error.message)
      process.stdout.write(said, () => ${end})`
      const o = { uid: 65_534, gid: 65_534, cwd: '/', env: { TMPDIR: tmpdir() } }
      const running = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], o)
      return (await running.catch((error: { stdout: string }) => error)).stdout
    }
    held = await becomeSingleInstance(folder)
    expect(await tryAsNobody('process.exit()')).toMatch(/^the lock of the data folder .* belongs to another user/)
    held.release()
    held = null
    // The other way round: root takes over what a killed process of anybody left.
    expect(await tryAsNobody("process.kill(process.pid, 'SIGKILL')")).toBe('taken')
    held = await becomeSingleInstance(folder)
  },
)
