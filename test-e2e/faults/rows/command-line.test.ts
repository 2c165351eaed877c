// `npm run faults:…` and `npm run simulate` as somebody types them who has not read the code.
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'

const root = join(import.meta.dirname, '../../..')

const run = (script: string, ...args: string[]) => runFrom(root, script, ...args)

/** As npm runs it where it was called in that folder, on a machine without Java. */
function runFrom(
  calledIn: string,
  script: string,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join('test-e2e/faults', script), ...args],
      { cwd: root, env: { ...process.env, JAVA_HOME: '/no/java', INIT_CWD: calledIn } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

describe('the command line', () => {
  test.each([
    ['rows/simulate-main.ts', []],
    ['many-faults/many-faults-main.ts', []],
    ['rows/rows-main.ts', ['quick']],
    ['rows/rows-main.ts', ['full']],
  ])('%s %p --help tells how it is called, and is no fault', async (script, words) => {
    const { code, stdout, stderr } = await run(script, ...words, '--help')
    expect([code, stdout.split('\n', 1)[0], stderr]).toEqual([0, expect.stringMatching(/^usage: npm run \w+/), ''])
  })

  test.each([
    ['rows/simulate-main.ts', '--seeds=many', 'simulate: --seeds must be 1 to 1000000'],
    ['rows/simulate-main.ts', '--sed=7', "simulate: Unknown option '--sed'"],
    ['many-faults/many-faults-main.ts', '--log=mysql', 'faults:many: --log must be postgres, kafka or both'],
    ['many-faults/many-faults-main.ts', '--log=toString', 'faults:many: --log must be postgres, kafka or both'],
    ['many-faults/many-faults-main.ts', '--count=0', 'faults:many: --count must be 1 to 1000000'],
    [
      'many-faults/many-faults-main.ts',
      '--report=/no/such/folder/report.md',
      'faults:many: --report cannot be written: ENOENT',
    ],
    // `--listTests`: else a run that does not refuse takes minutes.
    ['rows/rows-main.ts', 'quick --no-such-option --listTests', "faults:quick: Unknown option '--no-such-option'"],
    ['rows/rows-main.ts', 'quick --listTests --maxWorkers', "faults:quick: Option '--maxWorkers' lacks its value"],
    ['rows/rows-main.ts', 'full --listTests failover', "faults:full: Unexpected argument 'failover'"],
  ])('%s %s: exit code 2, what is wrong, then the usage', async (script, words, told) => {
    const { code, stderr } = await run(script, ...words.split(' '))
    expect([code, stderr.startsWith(told), stderr.includes('usage: npm run')]).toEqual([2, true, true])
  })

  test('regression: a report goes to the folder that the command was called in, not to that of the project', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wds-called-'))
    try {
      expect((await runFrom(folder, 'many-faults/many-faults-main.ts', '--log=kafka', '--report=told')).code).toBe(1)
      expect(readdirSync(folder)).toEqual(['told'])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('regression: many faults on Kafka where no broker can be started: one sentence, and what needs none', async () => {
    const { code, stderr } = await run('many-faults/many-faults-main.ts', '--log=kafka')
    const told = ['no broker can be started: No Java', '`--log postgres` needs none'].map((text) =>
      stderr.includes(text),
    )
    expect([code, told, stderr.includes('    at ')]).toEqual([1, [true, true], false])
  })
})
