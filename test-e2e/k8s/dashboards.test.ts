// The dashboards that the monitoring component mounts: queries that Prometheus reads, of metrics and labels that there are. That Grafana
// shows them was not tried: there is none here.
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { findPromtool } from '@wds/local-infra/promtool'
import { unknownIn } from './metrics-reference.ts'
import { buildWith, type Manifest, ofKind } from './render.ts'

let dashboards: Manifest[]
let promtool: string
beforeAll(async () => {
  promtool = await findPromtool((line) => void process.stderr.write(`${line}\n`))
  const { objects } = await buildWith('monitoring')
  const maps = ofKind(objects, 'ConfigMap').filter(({ metadata }) => metadata.labels?.grafana_dashboard === '1')
  dashboards = maps.flatMap(({ data }) => Object.values(data as Record<string, string>).map((text) => JSON.parse(text)))
})
const panels = () =>
  dashboards.flatMap((one) => (one.panels as Manifest[]).map((panel) => ({ title: one.title, panel })))
const queries = () => panels().flatMap(({ panel }) => (panel.targets as Manifest[]).map(({ expr }) => expr as string))

/** What the pages of the runbook tell somebody on call to ask Prometheus. */
const queriesOfRunbook = () =>
  globSync(join(import.meta.dirname, '../../packages/docs/runbook/*.md'))
    .flatMap((page) => [...readFileSync(page, 'utf8').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code))
    .filter((code) => /\b(wds|nodejs|v8js|db_client|messaging|http_server|kube)_[a-z]/.test(code))

/** What promtool says of queries, each as a recording rule; Grafana puts a duration in place of its variable. */
function faultsOf(expressions: string[]): string {
  const rules = expressions.map((expr, place) => ({
    record: `query:${place}`,
    expr: expr.replaceAll('$__rate_interval', '1m'),
  }))
  const folder = mkdtempSync(join(tmpdir(), 'wds-queries-'))
  const file = join(folder, 'rules.yaml')
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }))
  const { status, stderr, error } = spawnSync(promtool, ['check', 'rules', file], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  if (error !== undefined) throw error
  return status === 0 ? '' : stderr
}

describe('K80: dashboards', () => {
  test('there are five, each with a title and an address of its own', () => {
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(5)
    expect(new Set(dashboards.map(({ title }) => title)).size).toBe(5)
    expect(queries().length).toBeGreaterThan(50)
  })

  test('every query is PromQL', () => expect(faultsOf(queries())).toBe(''))
  test('a query that is none is found', () => expect(faultsOf(['sum by (x) rate(up[1m])'])).toContain('parse error'))

  test('every query asks for metrics and labels of the reference', () => {
    expect(
      queries()
        .map((query) => [query, unknownIn(query)])
        .filter(([, unknown]) => unknown?.length),
    ).toEqual([])
  })

  test('regression: every query of the runbook is PromQL over metrics and labels of the reference, as Prometheus names them', () => {
    expect(queriesOfRunbook().length).toBeGreaterThan(25)
    expect(faultsOf(queriesOfRunbook())).toBe('')
    expect(queriesOfRunbook().flatMap((query) => (unknownIn(query).length ? [[query, unknownIn(query)]] : []))).toEqual(
      [],
    )
  })

  test.each([
    ['a metric that nobody emits', 'sum(wds_outbox_ages_seconds)', 'wds_outbox_ages_seconds'],
    ['a counter without its suffix', 'sum(rate(messaging_client_sent_messages[5m]))', 'messaging_client_sent_messages'],
    [
      'a label of another metric',
      'max by (messaging_consumer_group_name) (wds_log_lag_records)',
      'messaging_consumer_group_name',
    ],
    ['a value of a label that is not there', 'wds_outbox_age_seconds{topic="x"}', 'topic'],
  ])('%s is found', (_what, query, found) => expect(unknownIn(query)).toEqual([found]))

  test('panels say what they are about, legends name labels by which their query groups, and none covers another', () => {
    for (const { title, panel } of panels()) {
      expect([title, panel.title, panel.description.length > 3]).toEqual([title, panel.title, true])
      for (const { expr, legendFormat } of panel.targets as Manifest[]) {
        const named = [...legendFormat.matchAll(/\{\{([^}]+)\}\}/g)].map(([, label]) => label)
        const grouped =
          /\bby \(([^)]*)\)/
            .exec(expr)?.[1]
            ?.split(', ')
            .filter((label) => label !== 'le') ?? []
        expect([panel.title, named.toSorted()]).toEqual([panel.title, grouped.toSorted()])
      }
    }
    for (const { panels: ofOne } of dashboards) {
      const places = (ofOne as Manifest[]).map(({ gridPos: { x, y, w } }) => `${y} ${x} ${w}`)
      expect(new Set(places).size).toBe(places.length)
      expect((ofOne as Manifest[]).every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true)
    }
  })
})
