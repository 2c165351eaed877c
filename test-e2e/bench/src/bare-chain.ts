/** Runs the bare chain in a process of its own on the rig's database server and receiver. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Rig } from './rig.ts'

const run = promisify(execFile)

/** @returns deliveries per second. */
export async function bareChainRate(rig: Rig, rows: number): Promise<number> {
  const { origins } = rig.receiver
  const args = [rig.stack.postgresUrl, new URL(origins[0] as string).port, String(origins.length), String(rows)]
  const { stdout } = await run(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, 'bare-chain-main.ts'),
    ...args,
  ])
  const result = JSON.parse(stdout) as { rows: number; seconds: number }
  return result.rows / result.seconds
}
