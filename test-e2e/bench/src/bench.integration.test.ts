/** The benchmark keeps working: windows of one second, whose counts agree with the database. Its figures mean nothing here. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, jest, test } from '@jest/globals'
import { isFull } from '../../faults/rig.ts'

/** Above it the program is ended, so that nothing of it stays. */
const limitMs = 900_000
jest.setTimeout(limitMs + 20_000)

// One stack in CI; the nightly run takes another one for the way of a call.
const measures = isFull ? 'deliveries,api-to-webhook' : 'deliveries'

test('a short run of the rates gives numbers and no fault', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wds-bench-'))
  try {
    const json = join(folder, 'result.json')
    const args = ['--only', measures, '--seconds', '1', '--repetitions', '1', '--json', json]
    const program = join(import.meta.dirname, 'main.ts')
    await promisify(execFile)(process.execPath, [program, ...args], { timeout: limitMs }).catch((error) => {
      // Which measure failed, and why, stands on standard output.
      throw new Error(`${error.message}\n${error.stdout}`)
    })
    const { results } = JSON.parse(readFileSync(json, 'utf8'))
    const lines = results.flatMap((result: { lines: { measure: string; value: number }[] }) => result.lines)
    const rates = lines.filter(({ measure }: { measure: string }) => /^(deliveries|bare chain|API call)/.test(measure))
    expect(rates).toHaveLength(isFull ? 4 : 2)
    for (const { measure, value } of rates) expect([measure, Number.isFinite(value)]).toEqual([measure, true])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
