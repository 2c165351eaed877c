// Lines of one turn are written together, in their order, and none waits longer than its turn.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createLogger, type Logger } from './logger.ts'
import { createTurnLines } from './turn-lines.ts'

let folder: string
let file: number
let logger: Logger
const messages = () =>
  readFileSync(join(folder, 'log'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { msg: string }).msg)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wds-lines-'))
  file = openSync(join(folder, 'log'), 'a')
  logger = createLogger({ service: 'test', destination: createTurnLines(file) })
})
afterEach(() => {
  closeSync(file)
  rmSync(folder, { recursive: true })
})

test('the lines of a turn go out at its end', async () => {
  logger.info('one')
  logger.info('two')
  expect(messages()).toEqual([])
  await setImmediate()
  expect(messages()).toEqual(['one', 'two'])
  logger.info('three')
  await setImmediate()
  expect(messages()).toEqual(['one', 'two', 'three'])
})

test.each(['warn', 'error', 'fatal'] as const)('a line of level %s goes out at once, with those before it', (level) => {
  logger.info('before')
  logger[level]('grave')
  expect(messages()).toEqual(['before', 'grave'])
})

test('many lines do not wait for the end of their turn', () => {
  const many = Array.from({ length: 200 }, (_, n) => `line ${n} ${'x'.repeat(100)}`)
  for (const line of many) logger.info(line)
  expect(messages().length).toBeGreaterThan(100)
  expect(messages()).toEqual(many.slice(0, messages().length))
})

test('a process that exits in the turn of its last line has written it', () => {
  const program = `
    import { createLogger } from ${JSON.stringify(new URL('./logger.ts', import.meta.url).href)}
    createLogger({ service: 'test' }).info('the last')
    process.exit(0)`
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(JSON.parse(out)).toMatchObject({ msg: 'the last' })
})

test('a process whose lines nobody reads any more goes on, and ends when it is told to', async () => {
  const program = `
    import { createLogger } from ${JSON.stringify(new URL('./logger.ts', import.meta.url).href)}
    const logger = createLogger({ service: 'test' })
    process.once('SIGTERM', () => { logger.error('ends'); process.exit(7) })
    process.once('disconnect', () => process.exit(8))
    process.on('message', () => {
      for (let n = 0; n < 2_000; n += 1) logger.info('nobody reads this')
      setImmediate(() => process.send('alive'))
    })
    process.send('ready')`
  const stdio = ['ignore', 'pipe', 'inherit', 'ipc'] as const
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: [...stdio] })
  const exit = once(child, 'exit')
  try {
    await once(child, 'message')
    child.stdout?.destroy()
    child.send('write')
    expect(await once(child, 'message')).toContain('alive')
    child.kill('SIGTERM')
    expect((await exit)[0]).toBe(7)
  } finally {
    child.kill('SIGKILL')
  }
})

test('a reader that is slow gets every line', async () => {
  const program = `
    import { createLogger } from ${JSON.stringify(new URL('./logger.ts', import.meta.url).href)}
    const logger = createLogger({ service: 'test' })
    for (let n = 0; n < 3_000; n += 1) logger.info('line ' + n)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await sleep(300)
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  const lines = text.split('\n').filter((line) => line !== '')
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(
    Array.from({ length: 3_000 }, (_, n) => `line ${n}`),
  )
})

test('regression: a reader that stalls holds nothing up; it gets what fits, and how many lines do not', async () => {
  const program = `
    import { createLogger } from ${JSON.stringify(new URL('./logger.ts', import.meta.url).href)}
    const logger = createLogger({ service: 'test' })
    process.on('message', () => {
      for (let n = 0; n < 60_000; n += 1) logger.info('line ' + n)
      logger.error('grave')
      setImmediate(() => process.send('alive'))
    })
    process.send('ready')`
  const stdio = ['ignore', 'pipe', 'inherit', 'ipc'] as const
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: [...stdio] })
  try {
    await once(child, 'message')
    child.stdout?.pause()
    child.send('write')
    expect(await once(child, 'message')).toContain('alive')
    let text = ''
    for await (const chunk of child.stdout ?? []) {
      text += chunk
      if (text.includes('nobody read them')) break
    }
    const lines = text.split('\n').filter((line) => line !== '')
    const { lines: dropped } = JSON.parse(lines.pop() ?? '') as { lines: number }
    expect(dropped).toBeGreaterThan(0)
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(
      Array.from({ length: 60_001 - dropped }, (_, n) => `line ${n}`),
    )
  } finally {
    child.kill('SIGKILL')
  }
})
