/**
 * Incidents to be played by somebody on call (README.md). `start` runs the stack until it is told to stop; the other commands, of
 * another terminal, talk to it.
 */
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deskUsage } from './desk-usage.ts'

const minutes = 180
/** Where the other commands find the stack. */
const addressFile = join(tmpdir(), `wds-incidents-${process.getuid?.() ?? 0}`)

const usage = `usage: npm run incidents -- start | <number> | heal | reveal | stop | <command of the desk>

start        starts the stack (a minute or two); it ends by itself after ${minutes} minutes
<number>     from 1 on: one incident, which one nobody tells; the same number is another one at the next start
heal         ends what the incident did
reveal       the key of the incident: only after you have said what it is
stop         ends the stack

the desk:
${deskUsage}`

/** Loaded here alone: a command shall not wait for the whole of it. */
async function start(): Promise<void> {
  const { playIncidents } = await import('./play.ts')
  await playIncidents({ minutes, addressFile })
}

async function tell(words: string[]): Promise<void> {
  let address: string
  try {
    address = readFileSync(addressFile, 'utf8')
  } catch {
    throw new Error('no stack runs: `npm run incidents -- start` in another terminal')
  }
  const response = await fetch(address, { method: 'POST', body: JSON.stringify(words) })
  process.stdout.write(`${await response.text()}\n`)
  if (!response.ok) process.exitCode = 1
}

const words = process.argv.slice(2)
if (words.length === 0 || words[0] === 'help') process.stdout.write(`${usage}\n`)
else
  await (words[0] === 'start' ? start() : tell(words)).catch((error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
