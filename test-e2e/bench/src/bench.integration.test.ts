/** The benchmark keeps working: a window of one second, whose counts agree with the database. Its figures mean nothing here. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

test('a short run of the rates gives numbers and no fault', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wds-bench-'))
  try {
    const json = join(folder, 'result.json')
    const args = ['--only', 'deliveries,api-to-webhook', '--seconds', '1', '--repetitions', '1', '--json', json]
    const program = join(import.meta.dirname, 'main.ts')
    await promisify(execFile)(process.execPath, [program, ...args])
    const { results } = JSON.parse(readFileSync(json, 'utf8'))
    const lines = results.flatMap((result: { lines: { measure: string; value: number }[] }) => result.lines)
    const rates = lines.filter(({ measure }: { measure: string }) => /^(deliveries|bare chain|API call)/.test(measure))
    expect(rates).toHaveLength(4)
    for (const { measure, value } of rates) expect([measure, value > 0]).toEqual([measure, true])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 180_000)
