/**
 * Of the nightly run: the benchmark keeps working, in windows of one second whose counts agree with the database. Its figures mean nothing
 * here. Its short form, `WDS_FAULTS=quick`, has one stack.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, jest, test } from '@jest/globals'
import { isFullRun } from '@wds/local-infra/test-size'

/** Above it the program is ended, so that nothing of it stays. */
const limitMs = 900_000
jest.setTimeout(limitMs + 20_000)

// Its long form takes another stack for the way of a call.
test('a short run of the rates gives numbers and no fault', async () => {
  const lines = await linesOf('--only', isFullRun() ? 'deliveries,api-to-webhook' : 'deliveries')
  const rates = lines.filter(({ measure }) => /^(deliveries|bare chain|API call)/.test(measure))
  expect(rates).toHaveLength(isFullRun() ? 4 : 2)
  expectNumbers(rates)
})

const beside: [name: string, sizes: string[], lines: number][] = [
  ['first-hang', ['--hanging', '3'], 4],
  ['wide-burst', ['--burst', '3000'], 7],
  ['replay-beside', ['--replayed', '5000'], 7],
  ['tls', [], 12],
]

// A stack for each.
if (isFullRun())
  test.each(beside)('a short run of %s gives numbers and no fault', async (name, sizes, count) => {
    const lines = await linesOf('--only', name, ...sizes)
    expect(lines).toHaveLength(count)
    expectNumbers(lines)
  })

interface Figure {
  measure: string
  value: number
}

function expectNumbers(figures: Figure[]): void {
  for (const { measure, value } of figures) expect([measure, Number.isFinite(value)]).toEqual([measure, true])
}

async function linesOf(...wanted: string[]): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'wds-bench-'))
  try {
    const json = join(folder, 'result.json')
    const args = [...wanted, '--seconds', '1', '--repetitions', '1', '--json', json]
    const program = join(import.meta.dirname, 'main.ts')
    await promisify(execFile)(process.execPath, [program, ...args], { timeout: limitMs }).catch((error) => {
      // Which measure failed, and why, stands on standard output.
      throw new Error(`${error.message}\n${error.stdout}`)
    })
    const { results } = JSON.parse(readFileSync(json, 'utf8'))
    return results.flatMap((result: { lines: Figure[] }) => result.lines)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
