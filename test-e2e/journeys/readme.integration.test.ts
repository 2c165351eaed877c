/**
 * What the README tells a new user to paste, pasted: the first command into what a fresh clone holds, then the `export` line that it
 * printed and the blocks under "Try it" and "Try more", all at once and as they stand, in each shell of this machine; an outage and the way out of it;
 * then an app, with a browser.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { credentials } from '@wds/fake-source/fake-source'
import { takeTestPorts } from '@wds/local-infra/test-ports'
import type { Browser } from 'playwright-core'
import { launchChromium, openVisitor } from '../browser/chromium.ts'
import { walkSampleApp } from '../browser/sample-app-journey.ts'
import { signInAndDecide } from '../browser/sign-in-and-decide.ts'
import { eventually, makePlace, type Place, root } from '../harness/standalone.ts'

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const start = /^npm start.*$/m.exec(readme)?.[0] ?? ''
/** The commands of the section with this heading. */
const blocksOf = (heading: string) => {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block as string)
}
const blocks = [...blocksOf('Try it'), ...blocksOf('Try more')]
const recover = blocksOf('Recover after an outage of your endpoint')
const odd = blocksOf('Know which numbers are final, and which are odd')

const actForYou = /## Let an app act for you\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''

const notInAClone = ['node_modules', '.git', '.data', '.env', 'dist']

let place: Place
let clone: string
let env: NodeJS.ProcessEnv
let program: ChildProcess
let printed = ''
/** What the start told meanwhile. */
let told = ''
let browser: Browser | undefined
let ports: Awaited<ReturnType<typeof takeTestPorts>> | undefined

beforeAll(async () => {
  place = await makePlace()
  clone = mkdtempSync(join(tmpdir(), 'wds clone '))
  chmodSync(clone, 0o711)
  cpSync(root, clone, { recursive: true, filter: (path) => path === root || !notInAClone.includes(basename(path)) })
  // Ports that nobody else takes, and the data where and what they are unless told.
  env = { ...process.env, ...place.env, WDS_DATA_DIR: undefined, WDS_SAMPLE_DATA: undefined }
  // A group of its own, as in a terminal, whose Ctrl-C goes to all of it.
  program = spawn('sh', ['-c', start], { cwd: clone, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  program.stdout?.on('data', (chunk) => {
    printed += String(chunk)
  })
  program.stderr?.on('data', (chunk) => {
    told += String(chunk)
    process.stderr.write(chunk)
  })
  await eventually('the start tells what to paste', async () => printed.includes('Ctrl-C'), 240_000)
})
afterAll(async () => {
  await browser?.close()
  ports?.release()
  if (program?.pid) {
    const group = -program.pid
    process.kill(group, 'SIGINT')
    await eventually('all of it has ended', async () => !isAlive(group))
  }
  rmSync(clone, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  place?.remove()
})

/** What the shell wrote when all of it was pasted at once. */
async function paste(shell: string, pasted: string): Promise<{ stdout: string; stderr: string }> {
  const child = spawn(shell, ['-s'], { timeout: 300_000 })
  child.stdin.end(pasted)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { stdout, stderr }
}

/** The process, or any of the group where the id is negative. */
function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}

/** What the start printed to paste first. */
function exportLine(): string {
  return /^export BASE=\S+ KEY=\S+ RECEIVER=\S+ INTEGRATION=\S+$/m.exec(printed)?.[0] ?? 'no export line'
}

/** Who signs in, as the start printed it. */
function ownerOf(text: string): { email: string; password: string } {
  const [, email = '', password = ''] = /sign in +as (\S+) with (\S+)/.exec(text) ?? []
  return { email, password }
}

/** Each value once, in this order. */
const inOrder = (...parts: string[]) => new RegExp(parts.join('[\\s\\S]*'))

const shells = ['bash', 'dash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', 'true']).status === 0)

test('the first start tells what it does, and has 90 days of numbers, dead letters of two causes and a delivery that waits', async () => {
  expect(told.split('\n').filter((line) => line.startsWith('sample data: ')).length).toBeGreaterThanOrEqual(6)
  expect(told).not.toContain('not whole')
  const [, base = '', key = ''] = /BASE=(\S+) KEY=(\S+)/.exec(exportLine()) ?? []
  const read = async (path: string) =>
    (await (await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${key}` } })).json()) as {
      data: Record<string, string>[]
    }
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const numbers = await read(`/v1/stats?from=${day(95)}&to=${day(0)}&group_by=day&metrics=clicks&limit=200`)
  expect(numbers.data.length).toBeGreaterThanOrEqual(90)
  // Those of the last days come once these are final, half a minute later.
  const costs = await read(`/v1/stats?from=${day(170)}&to=${day(1)}&group_by=sub_affiliate&metrics=sub_affiliate_cost`)
  const costOf = (id: string) => Number(costs.data.find((one) => one.sub_affiliate_id === id)?.sub_affiliate_cost)
  for (const id of ['rita-reviews', 'sami-streams']) expect(costOf(id)).toBeGreaterThan(0)
  const causes = (await read('/v1/dead-letters/causes')).data.map(({ reason }) => reason)
  expect(causes).toEqual(expect.arrayContaining(['attempts_exhausted', 'subscription_disabled']))
  const warehouse = (await read('/v1/webhooks')).data.find(({ description }) => description === 'Data warehouse')
  // On the real schedule: half a minute, then two minutes, then ten.
  const waiting = (await read(`/v1/webhooks/${warehouse?.id}/deliveries?status=retry`)).data
  expect(waiting).toContainEqual(expect.objectContaining({ event_type: 'sync.completed', max_attempts: 6 }))
})

test('one integration pulls from the local network, as the tour says, and has its numbers', async () => {
  const [, base = '', key = ''] = /BASE=(\S+) KEY=(\S+)/.exec(exportLine()) ?? []
  const [, network = ''] = /network +(\S+)/.exec(printed) ?? []
  const read = async (path: string) =>
    (await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${key}` } })).json()
  const { data: integrations } = (await read('/v1/integrations?provider=http_json')) as {
    data: Record<string, object>[]
  }
  expect(integrations).toMatchObject([
    { name: 'Harbour Affiliates', status: 'active', schedule: { every_minutes: 15 } },
  ])
  expect(readme).toContain('*Harbour Affiliates*')
  // Of days that the network does not correct any more.
  const [from, to] = [80, 10].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10))
  const lines = await (
    await fetch(`${network}/bearer/daily.ndjson?from=${from}&to=${to}`, {
      headers: { authorization: `Bearer ${credentials.token}` },
    })
  ).text()
  const rows = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ brand }) => brand === 'Acme Casino')
  const sum = (of: (counts: Record<string, number>) => number | undefined) =>
    rows.reduce((all, { counts }) => all + of(counts), 0)
  const query = `from=${from}&to=${to}&metrics=clicks,ftds&filter[integration]=${integrations[0]?.id}`
  const stats = (await read(`/v1/stats?${query}`)) as { totals: object[] }
  expect(rows.length).toBeGreaterThan(500)
  expect(stats.totals).toEqual([{ currency: 'EUR', clicks: sum(({ clicks }) => clicks), ftds: sum(({ ftd }) => ftd) }])
})

test('"Know which numbers are final, and which are odd", pasted, shows the drop that the sample holds and takes it on', async () => {
  expect(odd).toHaveLength(1)
  const { stdout, stderr } = await paste('sh', [exportLine(), ...odd].join('\n'))
  expect(stderr).toBe('')
  const [open, taken] = ['"status":"open".*"direction":"drop"', '"status":"acknowledged".*"note":"I ask the source"']
  expect(stdout).toMatch(inOrder(open, taken, '"object":"stats_day"', '"type":"anomaly.detected"'))
})

test.each(shells)('regression: all of "Try it" pasted at once into %s shows what the README says', async (shell) => {
  const { stdout, stderr } = await paste(shell, [exportLine(), ...blocks].join('\n'))
  expect(stderr).toBe('')
  const [first, failing, mended] = ['"secret":"whsec_', '"mode":"fail"', '"mode":"ok"']
  // Of a day that was final before, as the test above has seen to.
  const sums = '"clicks":120,"ftds":4'
  expect(stdout).toMatch(inOrder(first, '"object":"import"', 'service-signature', 'sync.completed', sums, failing))
  expect(stdout).toMatch(
    inOrder('"object":"campaign"', '"name":"Spring offer"', '"campaign_id":"cmp_.*"clicks":120', failing),
  )
  expect(stdout).toMatch(inOrder(failing, '"object":"import"', '"status":"retry"', mended))
  expect(stdout).toMatch(inOrder(mended, '"status":"replay"', '"status":"delivered"'))
  const [died, numbers, log] = ['"reason":"subscription_disabled"', '"object":"delivery_statistics"', '"next_cursor":"']
  expect(stdout).toMatch(inOrder(failing, '"status":"retry"', '"status":"disabled"', died, numbers, log))
})

test('"Recover after an outage of your endpoint", pasted behind the first block, replays what died, what was missed, and all that is dead', async () => {
  expect(recover).toHaveLength(3)
  const { stdout, stderr } = await paste('sh', [exportLine(), blocks[0], ...recover].join('\n'))
  expect(stderr).toBe('')
  const [failing, mended] = ['"mode":"fail"', '"mode":"ok"']
  expect(stdout).toMatch(inOrder(failing, '"status":"retry"', '"status":"disabled"', '"type":"sync.completed"', mended))
  // Each of the two uploads is two events: one pair died, the other one was missed. A sync of the sample may add its own.
  expect(stdout).toMatch(inOrder(mended, '"status":"enabled"', '"matched":', '"status":"completed"'))
  const { matched, by_status: found } = JSON.parse(/^\{"matched":.*$/m.exec(stdout)?.[0] ?? '{}')
  expect(found.dead).toBeGreaterThanOrEqual(2)
  expect(found.missing).toBeGreaterThanOrEqual(2)
  expect(found.dead + found.missing).toBe(matched)
  const replay = JSON.parse(/^\{"object":"replay".*"status":"completed".*$/m.exec(stdout)?.[0] ?? '{}')
  expect(replay.matched).toBeGreaterThanOrEqual(matched)
  expect(replay).toMatchObject({ opened: replay.matched, skipped: 0, delivered: replay.matched, dead: 0 })
  expect(stdout).toMatch(inOrder('"object":"dead_letter_causes"', '"matched":', '"rate":5', '"status":"completed"'))
})

test('"Let an app act for you", pasted into a shell and followed in a browser, ends with a line that reads stats', async () => {
  browser ??= await launchChromium()
  ports = await takeTestPorts()
  // A port that no other run on this machine listens on.
  const pasted = actForYou.replace('8123', String(await ports.next()))
  const shell = spawn('sh', ['-s'], { cwd: clone, env, timeout: 300_000 })
  shell.stdin.end(`${exportLine()}\n${pasted}`)
  let asked = ''
  shell.stderr.on('data', (chunk) => {
    asked += String(chunk)
  })
  const stdout = text(shell.stdout)
  const address = await eventually('the address is printed', async () => /^http\S+$/m.exec(asked)?.[0])
  const { email, password } = ownerOf(printed)
  const { page } = await openVisitor(browser)
  await signInAndDecide(page, { address, email, password })
  const line = /^curl .*$/m.exec(await stdout)?.[0] ?? 'no curl line'
  const answer = await paste('sh', line)
  expect(JSON.parse(answer.stdout)).toMatchObject({ object: 'stats' })
})

test('the sample app, started as the README says, goes through the whole flow in a browser and is refused at the end', async () => {
  const command = /^npm run sample-app$/m.exec(readme)?.[0] ?? 'exit 1'
  const app = spawn('sh', ['-c', command], { cwd: clone, env, detached: true })
  try {
    let said = ''
    app.stdout.on('data', (chunk) => {
      said += String(chunk)
    })
    const address = await eventually('it says where it is', async () => /open (http\S+) in/.exec(said)?.[1])
    browser ??= await launchChromium()
    const visitor = await openVisitor(browser)
    await walkSampleApp(visitor, { address, ...ownerOf(printed) })
    expect(visitor.faults).toEqual([])
    await visitor.close()
  } finally {
    process.kill(-(app.pid as number), 'SIGINT')
    await eventually('the sample app has ended', async () => !isAlive(-(app.pid as number)))
  }
})

test('regression: a workspace is made once every service serves its key', async () => {
  const [command, ...args] = ['npm', 'run', '--silent', 'wds', '--', 'workspaces', 'create', '--name', 'Acme', '--json']
  const made = spawnSync(command, args, { cwd: clone, env, encoding: 'utf8' })
  expect([made.status, made.stderr]).toEqual([0, ''])
  const headers = { authorization: `Bearer ${JSON.parse(made.stdout).api_key}` }
  const paths = ['/v1/workspace', '/v1/integrations', '/v1/event-types', '/v1/webhooks']
  const asked = paths.map((path) => fetch(`http://127.0.0.1:${place.env.WDS_PORT}${path}`, { headers }))
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

test('regression: who looks for the map of the repository finds it within the first 400 words', () => {
  const [before = '', ...after] = readme.split('\n## Map\n')
  expect(after).toHaveLength(1)
  expect(before.split(/\s+/).length).toBeLessThan(400)
})

test('the terminal says what the README says first', () => {
  expect(blocks).toHaveLength(5)
  expect(printed).toContain(blocks[0]?.trim())
})

test('nothing of it needs more than a shell and curl, or says what an interactive zsh takes for a command', () => {
  for (const block of [...blocks, ...recover, actForYou]) {
    expect(block).not.toMatch(/\bjq\b|^\s*#/m)
  }
})
