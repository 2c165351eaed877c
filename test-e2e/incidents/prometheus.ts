/** A real Prometheus over the processes of a stack, with the project's rules. */
import { spawn } from 'node:child_process'
import { openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPrometheus } from '@wds/local-infra/prometheus'
import { eventually, exitOf } from '../harness/standalone.ts'
import { hasten, readRules } from './rules.ts'

export interface Target {
  address: string
  labels: Record<string, string>
}

export interface Prometheus {
  url: string
  /** Names of the alerts that fire. */
  firing(): Promise<string[]>
  /** The same with what each says and of what, as a pager would tell it. */
  told(): Promise<string[]>
  /** Series of an instant query. @throws Error when Prometheus refuses it. */
  query(expression: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]>
  /** Every alert that fired since the time, in seconds since the epoch, and when first. */
  firedSince(seconds: number): Map<string, number>
  stop(): Promise<void>
}

interface FiringAlert {
  state: string
  labels: Record<string, string> & { alertname: string }
  annotations: Record<string, string>
}

/** Name, page and words of an alert in one line. */
export function toldOf({ labels, annotations }: Pick<FiringAlert, 'labels' | 'annotations'>): string {
  const { alertname, severity, ...of } = labels
  const whose = Object.entries(of).map(([label, value]) => `${label}=${value}`)
  const page = annotations.runbook_url?.split('/').at(-1)
  return `${alertname} (${[severity, ...whose].join(', ')}): ${annotations.summary}. ${annotations.description} See ${page}.md`
}

/** Longer than a process takes at most for its gauges (packages/telemetry). */
const scrapeSeconds = 4

export async function startPrometheus(o: { folder: string; port: number; targets: Target[] }): Promise<Prometheus> {
  const program = await findPrometheus((line) => void process.stderr.write(`${line}\n`))
  const rules = readRules().map((rule) => hasten(rule))
  // JSON is YAML.
  writeFileSync(join(o.folder, 'rules.json'), JSON.stringify({ groups: [{ name: 'workspace-data', rules }] }))
  const config = {
    global: { scrape_interval: `${scrapeSeconds}s`, evaluation_interval: '2s' },
    rule_files: ['rules.json'],
    scrape_configs: [
      {
        job_name: 'workspace-data',
        honor_labels: true,
        static_configs: o.targets.map(({ address, labels }) => ({ targets: [address], labels })),
      },
    ],
  }
  writeFileSync(join(o.folder, 'prometheus.json'), JSON.stringify(config))
  const logFile = join(o.folder, 'prometheus.log')
  const log = openSync(logFile, 'a')
  const url = `http://127.0.0.1:${o.port}`
  const child = spawn(
    program,
    [
      `--config.file=${join(o.folder, 'prometheus.json')}`,
      `--storage.tsdb.path=${join(o.folder, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${o.port}`,
      // As compose has it.
      '--enable-feature=exemplar-storage',
    ],
    { stdio: ['ignore', log, log] },
  )
  const exited = exitOf(child)
  const ask = async (path: string) => {
    const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(20_000) })
    // biome-ignore lint/suspicious/noExplicitAny: what Prometheus answers
    const answer = (await response.json()) as any
    if (answer.status !== 'success') throw new Error(`Prometheus refused ${path}: ${answer.error}`)
    return answer.data
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  const first = await Promise.race([eventually('Prometheus is ready', isReady).catch(() => null), exited])
  if (first !== true) {
    await stop()
    throw new Error(`Prometheus did not start: ${readFileSync(logFile, 'utf8').slice(-2_000)}`)
  }
  const alertsNow = async (): Promise<FiringAlert[]> => {
    const { alerts } = await ask('/api/v1/alerts')
    return (alerts as FiringAlert[]).filter(({ state }) => state === 'firing')
  }
  const firing = async () => [...new Set((await alertsNow()).map(({ labels }) => labels.alertname))].sort()
  const seen: { alert: string; at: number }[] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const at = Math.floor(Date.now() / 1_000)
      for (const alert of await firing().catch(() => [])) seen.push({ alert, at })
      await sleep(1_000)
    }
  })()
  return {
    url,
    firing,
    told: async () => (await alertsNow()).map(toldOf).sort(),
    query: async (expression) => (await ask(`/api/v1/query?query=${encodeURIComponent(expression)}`)).result,
    firedSince: (seconds) => {
      // The last one of a name is the earliest.
      const later = seen.filter(({ at }) => at >= seconds).reverse()
      return new Map(later.map(({ alert, at }) => [alert, at]))
    },
    stop: async () => {
      isOver = true
      await watching
      await stop()
    },
  }
}
