/** The steady load of the fault tests, and the watch over the probes meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../harness/client.ts'
import type { ServiceProcess } from '../../harness/service-processes.ts'

/** One PATCH and what became of it. */
export interface Write {
  integrationId: string
  /** What it changed the name to, and the only tag. */
  name: string
  /** 0: no answer. */
  status: number
  headers: Headers | null
  /** Milliseconds since the epoch, and until the answer. */
  at: number
  tookMs: number
}

let changes = 0

/** The body of a change: two fields of one text, so that a checker sees half of it. */
export function changeTo(name: string): { name: string; tags: string[] } {
  return { name, tags: [name] }
}

/** As a careful client does: a change that was not answered is followed by another one, never repeated. */
export async function writeWhile(
  client: Client,
  o: { integrations: string[]; paceMs: number; during: () => Promise<unknown> },
): Promise<Write[]> {
  const writes: Write[] = []
  let isOver = false
  const writing = o.integrations.map(async (integrationId) => {
    while (!isOver) {
      const at = Date.now()
      const started = performance.now()
      changes += 1
      const name = `change ${changes}`
      const json = changeTo(name)
      const path = `/v1/integrations/${integrationId}`
      const answer = await client(path, { method: 'PATCH', json }).catch(() => null)
      const tookMs = performance.now() - started
      writes.push({ integrationId, name, status: answer?.status ?? 0, headers: answer?.headers ?? null, at, tookMs })
      await sleep(Math.max(0, o.paceMs - tookMs))
    }
  })
  try {
    await o.during()
  } finally {
    isOver = true
    await Promise.all(writing)
  }
  return writes
}

export async function failedProbesDuring(
  processes: ServiceProcess[],
  during: () => Promise<unknown>,
): Promise<string[]> {
  const failed: string[] = []
  let isOver = false
  let asked = 0
  const asking = processes.map(async ({ service, managementUrl }) => {
    while (!isOver) {
      const response = await fetch(`${managementUrl}/livez`, { signal: AbortSignal.timeout(60_000) }).catch(() => null)
      await response?.arrayBuffer()
      asked += 1
      if (response?.status !== 200) failed.push(`${service}: ${response?.status ?? 'no answer'}`)
      await sleep(500)
    }
  })
  try {
    await during()
  } finally {
    isOver = true
    await Promise.all(asking)
  }
  if (asked < processes.length) throw new Error('nobody was asked')
  return failed
}

/** p50, p99 and maximum of the answers: for people to read, since a busy machine says little. */
export function latencies(answers: readonly Pick<Write, 'tookMs'>[]): string {
  const took = answers.map(({ tookMs }) => tookMs).sort((a, b) => a - b)
  const at = (share: number) => (took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0).toFixed(0)
  return `n ${took.length}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`
}

/** One line on standard error beside the report of the runner. */
export function report(line: string): void {
  process.stderr.write(`faults: ${line}\n`)
}
