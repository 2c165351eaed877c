// Runs the recipes of `snippets/verify-signature`: each judges every vector as the verifier does, in one process for each language.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { readVectors } from '@wds/webhook-signature/vectors'

export interface Recipe {
  language: string
  /** Before the run. */
  build?: string[]
  run: string[]
}

const folder = join(import.meta.dirname, '../../snippets/verify-signature')
const vectors = readVectors()
const base64 = (text: string) => Buffer.from(text).toString('base64')
const input = vectors.map(({ name, secret, header, body, now }) =>
  [name, secret, base64(header ?? ''), Buffer.from(body).toString('base64'), now].join('|'),
)
/** What a recipe prints that is right. */
export const asTheVerifier = vectors
  .map(({ name, expected }) => `${name} ${expected === 'accepted' ? expected : 'refused'}\n`)
  .join('')

/** What it prints for all vectors. @throws Error with what it complains of. */
export function judgements({ build, run }: Recipe): string {
  if (build) complete(build)
  return complete(run, `${input.join('\n')}\n`)
}

/** Whether the program is on this machine. */
export const answers = (...probe: string[]): boolean => carryOut(probe).status === 0

function complete(command: string[], lines?: string): string {
  const { status, stdout, stderr } = carryOut(command, lines)
  if (status !== 0 || stderr !== '') throw new Error(`${command.join(' ')}: exit ${status}: ${stderr}`)
  return stdout
}

function carryOut([command = '', ...args]: string[], lines = '') {
  return spawnSync(command, args, { cwd: folder, input: lines, encoding: 'utf8', timeout: 300_000 })
}
