/**
 * What the README tells a new user to paste, pasted: the block under "Try it", command by command, with the `export` line that
 * the start printed. Ids that the README leaves out (`whk_…`) are those of the answers before.
 */
import { type ChildProcess, execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { eventually, exitOf, launch, makePlace, type Place, root } from '../harness/standalone.ts'

jest.setTimeout(120_000)

/** The commands of the README below "Try it", each with its continued lines. */
function commandsOf(readme: string): string[] {
  const block = /## Try it\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  const commands = block.replaceAll(/^#.*\n/gm, '').split(/\n(?! )(?=curl|printf)/)
  return commands.map((command) => command.trim()).filter((command) => command !== '')
}

const commands = commandsOf(readFileSync(join(root, 'README.md'), 'utf8'))
const run = promisify(execFile)
let place: Place
let program: ChildProcess
let exported = ''

/** The one command with this in it. */
function commandWith(part: string): string {
  const found = commands.filter((command) => command.includes(part))
  if (found.length !== 1) throw new Error(`${found.length} commands of the README hold ${part}`)
  return found[0] as string
}

async function paste(command: string): Promise<Record<string, never>> {
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', `${exported}\n${command}`], { timeout: 20_000 })
  return stdout === '' ? {} : JSON.parse(stdout)
}

beforeAll(async () => {
  place = await makePlace()
  program = launch(place, [])
  program.stderr?.resume()
  for await (const line of createInterface({ input: program.stdout as NonNullable<ChildProcess['stdout']> })) {
    if (!line.trim().startsWith('export ')) continue
    exported = line.trim()
    break
  }
  program.stdout?.resume()
})
afterAll(async () => {
  program?.kill('SIGTERM')
  if (program) await exitOf(program)
  place?.remove()
})

test('every command of "Try it" does what the README says', async () => {
  expect(exported).toMatch(/^export BASE=\S+ KEY=\S+ RECEIVER=\S+ INTEGRATION=\S+$/)
  const webhook: Record<string, string> = await paste(commandWith('/v1/webhooks -H'))
  expect(webhook).toMatchObject({ object: 'webhook', secret: expect.stringMatching(/^whsec_/) })
  const upload = commandWith('/v1/imports?type=stats')
  expect(await paste(upload)).toMatchObject({ object: 'import', status: 'queued' })

  const received = commandWith('curl -sS $RECEIVER/received')
  await eventually('the signed sync.completed', async () => {
    const text = JSON.stringify(await paste(received))
    return text.includes('sync.completed') && text.includes('service-signature')
  })
  const sums = JSON.stringify(await paste(commandWith('/v1/stats?')))
  for (const sum of ['120', '4']) expect(sums).toContain(sum)

  const control = commandWith('/control')
  await paste(control)
  await paste(upload)
  const list = commandWith('/deliveries -H').replace('whk_…', webhook.id ?? '')
  const waiting = await eventually('a delivery that waits as retry', async () => {
    const { data } = (await paste(list)) as unknown as { data: { id: string; status: string }[] }
    return data.find(({ status }) => status === 'retry')
  })
  await paste(control.replace('"fail"', '"ok"'))
  const again = await paste(commandWith('/retry -H').replace('dlv_…', waiting.id))
  expect(again).toMatchObject({ id: waiting.id })
  await eventually('it arrives', async () => {
    const { data } = (await paste(list)) as unknown as { data: { id: string; status: string }[] }
    return data.find(({ id, status }) => id === waiting.id && status === 'delivered')
  })
})

test('nothing of "Try it" was left out', () => {
  expect(commands.map((command) => /\$(?:BASE|RECEIVER)(\/[a-z0-9/-]*)/.exec(command)?.[1])).toEqual([
    '/v1/webhooks',
    '/v1/imports',
    '/received',
    '/v1/stats',
    '/control',
    '/v1/webhooks/whk',
    '/v1/deliveries/dlv',
  ])
})
