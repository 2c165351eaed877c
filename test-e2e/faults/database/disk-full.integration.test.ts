/**
 * F24: the disk that Postgres, the broker where there is one, and the logs of all services are on is full, then has room again. A write is
 * answered with 503, nothing acknowledged is missing, no service ends, and all goes on by itself once the servers run.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from '@jest/globals'
import type { PostgresServer } from '@wds/local-infra/postgres-server'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import { isFullRun } from '@wds/local-infra/test-size'
import { diskPrefix } from '../../harness/abandoned-stacks.ts'
import { startOwnPostgresAgain } from '../../harness/own-postgres.ts'
import { eventually } from '../../harness/standalone.ts'
import { createUndo } from '../../harness/undo.ts'
import { canBeMade } from '../rig/can-be-made.ts'
import { latencies, report } from '../rig/load.ts'
import { requireWhole } from '../rig/require-whole.ts'
import { type LogName, type Rig, startRig } from '../rig/rig.ts'

const fullMs = isFullRun() ? 60_000 : 10_000
const logs: LogName[] = (await whyNoOwnBroker()) === null ? ['Postgres', 'Kafka'] : ['Postgres']
const needs = 'root on Linux, to mount a small file system that can be filled'
const isRoot = canBeMade(process.platform === 'linux' && process.getuid?.() === 0, { row: 'F24', needs })
const asRoot = isRoot ? test : test.skip

let { undo, stop } = createUndo()
afterEach(async () => {
  await stop()
  ;({ undo, stop } = createUndo())
})

interface SmallDisk {
  folder: string
  fill(): void
  free(): void
}

function mountSmallDisk(mebibytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), diskPrefix))
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder])
  undo.push(() => execFileSync('umount', ['--lazy', folder]))
  chmodSync(folder, 0o755)
  const filler = join(folder, 'filler')
  const fill = () => {
    const file = openSync(filler, 'a')
    for (const size of [2 ** 20, 2 ** 12, 1]) {
      try {
        for (;;) writeSync(file, Buffer.alloc(size))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
    closeSync(file)
  }
  return { folder, fill, free: () => rmSync(filler) }
}

/** Watches the servers; `startAgain` starts those whose supervisor gave up at the third crash, as an orchestrator would, and says which. */
function watchServers({ stack }: Rig): { startAgain(): Promise<string[]> } {
  const postgres = stack.postgres as PostgresServer
  const { kafka } = stack
  const givenUp = new Set<string>()
  postgres.onCrash(({ restarting }) => restarting || givenUp.add('Postgres'))
  kafka?.onCrash(({ restarting }) => restarting || givenUp.add('Kafka'))
  const startAgain = async () => {
    if (givenUp.has('Postgres')) {
      await postgres.kill()
      const again = await startOwnPostgresAgain(postgres)
      undo.push(() => again.stop())
    }
    if (givenUp.has('Kafka')) await kafka?.start()
    return [...givenUp]
  }
  return { startAgain }
}

asRoot.each(logs)(
  'F24: the disk is full; log in %s: 503, nothing acknowledged is missing, all goes on once there is room',
  async (log) => {
    const disk = mountSmallDisk(600)
    const rig = await startRig({ log, ownPostgres: true, home: disk.folder, writers: 8, paceMs: 50 })
    undo.push(() => rig.stop())
    const servers = watchServers(rig)
    let startedAgain: string[] = []
    const statusOfOneMore = async () => {
      const json = { name: 'more', provider: 'csv_upload', brand_slug: 'acme', currency: 'EUR' }
      return (await rig.client('/v1/integrations', { json }).catch(() => null))?.status
    }
    let fullSinceMs = 0
    const writes = await rig.writeWhile(async () => {
      await sleep(2_000)
      disk.fill()
      fullSinceMs = Date.now()
      await eventually('a write is refused', async () => (await statusOfOneMore()) === 503)
      await sleep(fullMs)
      disk.free()
      startedAgain = await servers.startAgain()
      await eventually('a write is accepted', async () => (await statusOfOneMore()) === 201)
      await sleep(3_000)
    })
    const meanwhile = writes.filter(({ at }) => at > fullSinceMs)
    const refused = meanwhile.filter(({ status }) => status !== 200)
    report(
      `F24 ${log}: ${refused.length} of ${meanwhile.length} writes refused, ${latencies(refused)}; started again: ${startedAgain}`,
    )
    const answers = [...new Set(refused.map(({ status, headers }) => `${status} ${headers?.get('retry-after')}`))]
    expect(answers).toEqual(answers.map(() => expect.stringMatching(/^503 \d+$/)))
    expect(answers.length).toBeGreaterThan(0)
    await requireWhole(rig, writes)
  },
)
