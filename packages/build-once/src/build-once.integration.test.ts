// One state of the sources is built once and whole, whoever else builds, is killed or sleeps meanwhile.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type Build, buildOnce, folderOf } from './build-once.ts'

let repository: string
let dist: string
/** Contents of `src/a` in the order in which they were built by this process. */
let made: string[]
beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), 'wds-build-once-'))
  dist = join(repository, 'dist')
  made = []
  mkdirSync(join(repository, 'src'))
  source('a', 'first')
})
afterEach(() => rmSync(repository, { recursive: true, force: true }))

const source = (name: string, text: string) => writeFileSync(join(repository, 'src', name), text)

function build(o: Partial<Build> = {}): Promise<string> {
  return buildOnce({
    repository,
    sources: ['src/**'],
    dist,
    keptMax: 3,
    async make(work) {
      const text = readFileSync(join(repository, 'src/a'), 'utf8')
      made.push(text)
      writeFileSync(join(work, 'whole'), text)
      return work
    },
    ...o,
  })
}

const wholeOf = (folder: string) => readFileSync(join(folder, 'whole'), 'utf8')

/** As if it had not been touched for so long. */
function age(path: string, ms: number): void {
  const then = new Date(Date.now() - ms)
  utimesSync(path, then, then)
}
/** Everything of those who build now, as if they were silent for two minutes. */
function silenceBuilders(): void {
  for (const name of readdirSync(dist)) if (name.includes('.')) age(join(dist, name), 120_000)
}

/** A process that has begun to build; it goes on when it is told. */
async function startBuilder(signMs = 5_000) {
  const program = fileURLToPath(new URL('./builder.fixture.ts', import.meta.url))
  const child = spawn(process.execPath, [program, repository, String(signMs)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  expect((await lines.next()).value).toBe('building')
  return {
    pid: child.pid,
    async finish(): Promise<string> {
      child.stdin.end()
      const { value } = await lines.next()
      await closed
      return value ?? ''
    },
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await closed
    },
  }
}

test('sources that are as they were are built once; the folder bears their digest', async () => {
  const folder = await build()
  expect([await build(), await build()]).toEqual([folder, folder])
  expect(made).toEqual(['first'])
  expect(folder).toMatch(/^.*\/dist\/[0-9a-f]{16}$/)
  expect(readdirSync(folder)).toEqual(['whole'])
})

test('where it would stand is told without building', async () => {
  const where = folderOf({ repository, sources: ['src/**'], dist })
  expect(existsSync(dist)).toBe(false)
  expect(await build()).toBe(where)
})

test('a source that changed, came or was renamed builds anew; a test and what is no source do not', async () => {
  const first = await build()
  source('a.test.ts', 'a test')
  writeFileSync(join(repository, 'b'), 'no source')
  expect(await build()).toBe(first)
  source('a', 'second')
  const second = await build()
  source('c', 'came')
  const third = await build()
  renameSync(join(repository, 'src/c'), join(repository, 'src/d'))
  const fourth = await build({ keptMax: 4 })
  expect(new Set([first, second, third, fourth]).size).toBe(4)
  expect([first, second].map(wholeOf)).toEqual(['first', 'second'])
})

test('the folder that holds the result may stand in the one of the work, of which nothing else is kept', async () => {
  const folder = await build({
    async make(work) {
      mkdirSync(join(work, 'built/result'), { recursive: true })
      writeFileSync(join(work, 'rest'), 'not kept')
      return join(work, 'built/result')
    },
  })
  expect(readdirSync(folder)).toEqual([])
  expect(readdirSync(dist)).toEqual([basename(folder)])
})

test('of two builders at once one builds, and both get the folder', async () => {
  const other = await startBuilder()
  const waiting = build()
  const folder = await other.finish()
  expect(await waiting).toBe(folder)
  expect(made).toEqual([])
  expect(wholeOf(folder)).toBe(String(other.pid))
  expect(readdirSync(dist)).toEqual([basename(folder)])
})

test('a builder says so for as long as it builds', async () => {
  const other = await startBuilder(20)
  try {
    silenceBuilders()
    const lock = readdirSync(dist).find((name) => name.endsWith('.building')) ?? ''
    const deadline = performance.now() + 60_000
    while (Date.now() - statSync(join(dist, lock)).mtimeMs > 60_000 && performance.now() < deadline) await sleep(20)
    expect(Date.now() - statSync(join(dist, lock)).mtimeMs).toBeLessThan(60_000)
  } finally {
    await other.kill()
  }
})

test('a builder that was killed is replaced once it was silent for long enough, and leaves nothing', async () => {
  const other = await startBuilder()
  await other.kill()
  silenceBuilders()
  const folder = await build()
  expect(wholeOf(folder)).toBe('first')
  expect(readdirSync(folder)).toEqual(['whole'])
  expect(readdirSync(dist)).toEqual([basename(folder)])
})

test('regression: what a killed builder left of sources that changed since is removed, not what one who builds now has', async () => {
  const killed = await startBuilder()
  await killed.kill()
  silenceBuilders()
  source('a', 'second')
  const other = await startBuilder()
  try {
    source('a', 'third')
    const folder = await build()
    const left = readdirSync(dist).filter((name) => name !== basename(folder))
    expect(new Set(left.map((name) => name.split('.')[0])).size).toBe(1)
    expect(wholeOf(await other.finish())).toBe(String(other.pid))
  } finally {
    await other.kill()
  }
  expect(readdirSync(dist).filter((name) => name.includes('.'))).toEqual([])
})

test('regression: one whose machine slept while it built, and was replaced, spoils nothing', async () => {
  const sleeping = Promise.withResolvers<void>()
  const slept = build({
    async make(work) {
      writeFileSync(join(work, 'half'), 'before it slept')
      await sleeping.promise
      writeFileSync(join(work, 'whole'), 'by the one that slept')
      return work
    },
  })
  silenceBuilders()
  const folder = await build()
  sleeping.resolve()
  expect(await slept).toBe(folder)
  expect(readdirSync(folder)).toEqual(['whole'])
  expect(wholeOf(folder)).toBe('first')
  expect(readdirSync(dist)).toEqual([basename(folder)])
})

test('regression: one who waits goes on where somebody removes everything meanwhile', async () => {
  const other = await startBuilder()
  try {
    const waiting = build()
    await sleep(0)
    rmSync(dist, { recursive: true })
    expect(wholeOf(await waiting)).toBe('first')
  } finally {
    await other.kill()
  }
})

/** Without rights: root may write to what is read-only. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** What the program of a build says and ends with. */
async function failAsNobody(make: string): Promise<{ code: number; stderr: string }> {
  const program = `
    const { printBuilt } = await import(${JSON.stringify(new URL('./build-once.ts', import.meta.url).href)})
    const paths = ${JSON.stringify({ repository, dist })}
    await printBuilt({ ...paths, sources: ['src/**'], keptMax: 3, make: async () => { ${make} } })`
  chmodSync(repository, 0o755)
  const running = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    ...nobody,
    cwd: '/',
    timeout: 60_000,
  })
  const failed = await running.then(
    () => null,
    (error: { code: number; stderr: string }) => error,
  )
  if (failed === null) throw new Error('the build did not fail')
  return failed
}

test('regression: a folder that cannot be written is a fault that names it, where it was taken for one who builds', async () => {
  mkdirSync(dist, { mode: 0o555 })
  const { code, stderr } = await failAsNobody('')
  chmodSync(dist, 0o755)
  expect(stderr).toMatch(/^cannot build: .*\/dist must be a folder that this user may write to \(EACCES: [^\n]*\)\n$/)
  expect(code).toBe(1)
})

test('of a build that fails the program says why and where', async () => {
  mkdirSync(dist)
  chmodSync(dist, 0o777)
  const { code, stderr } = await failAsNobody("throw new Error('a link leads nowhere')")
  expect(stderr).toMatch(/^Error: a link leads nowhere\n {4}at /)
  expect(code).toBe(1)
})

test('a build that fails leaves nothing, says why, and is tried again by the next', async () => {
  const failing = build({
    async make(work) {
      writeFileSync(join(work, 'half'), '')
      throw new Error('a link leads nowhere')
    },
  })
  await expect(failing).rejects.toThrow('a link leads nowhere')
  expect(readdirSync(dist)).toEqual([])
  expect(wholeOf(await build())).toBe('first')
})

test('the states that were asked for last are kept, whenever they were built', async () => {
  const states: Record<string, string> = {}
  for (const [nth, text] of ['first', 'second', 'third'].entries()) {
    source('a', text)
    states[text] = await build({ keptMax: 2 })
    age(states[text], (10 - nth) * 60_000)
    if (text !== 'second') continue
    source('a', 'first')
    expect(await build()).toBe(states.first)
  }
  expect(made).toEqual(['first', 'second', 'third'])
  expect(readdirSync(dist).sort()).toEqual([states.first, states.third].map((path) => basename(path ?? '')).sort())
})
