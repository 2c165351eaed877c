// Each alert fires on its cause, at its time, with words that say what happened, and on nothing else; on a fleet that is well all are silent.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { findPromtool } from '@wds/local-infra/promtool'
import { type Cause, causes, healthy, type Series } from './alert-causes.ts'
import { unknownIn } from './metrics-reference.ts'
import { build, type Manifest, ofKind, root } from './render.ts'

let promtool: string
let folder: string
let rules: Manifest[]
beforeAll(async () => {
  promtool = await findPromtool((line) => void process.stderr.write(`${line}\n`))
  const { objects } = await build(join(root, 'overlays/production'))
  const groups = ofKind(objects, 'PrometheusRule').flatMap(({ spec }) => spec.groups as Manifest[])
  rules = groups.flatMap((group) => group.rules)
  folder = mkdtempSync(join(tmpdir(), 'wds-alerts-'))
  // JSON is YAML.
  writeFileSync(join(folder, 'rules.yaml'), JSON.stringify({ groups }))
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Expected {
  eval_time: string
  alertname: string
  exp_alerts: object[]
}
const silent = (minute: number, alerts: string[]): Expected[] =>
  alerts.map((alertname) => ({ eval_time: `${minute}m`, alertname, exp_alerts: [] }))

/** What promtool says that is otherwise; an empty text where all is as expected. */
function judge(series: Series, expected: Expected[]): string {
  const input_series = Object.entries(series).map(([name, values]) => ({ series: name, values }))
  const tests = [{ interval: '1m', input_series, alert_rule_test: expected }]
  const file = join(folder, 'test.yaml')
  writeFileSync(file, JSON.stringify({ rule_files: ['rules.yaml'], evaluation_interval: '1m', tests }))
  const { status, stdout, stderr, error } = spawnSync(promtool, ['test', 'rules', file], { encoding: 'utf8' })
  if (error !== undefined) throw error
  return status === 0 ? '' : `${stdout}${stderr}`
}
const names = () => [...new Set(rules.map(({ alert }) => alert as string))]

test('promtool finds the rules without a fault', () => {
  const { status, stdout } = spawnSync(promtool, ['check', 'rules', join(folder, 'rules.yaml')], { encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, expect.stringContaining(`${rules.length} rules found`)])
})

test('all alerts are silent while the fleet is well', () => {
  expect(
    judge(
      healthy,
      [1, 12, 31, 70, 180, 300].flatMap((minute) => silent(minute, names())),
    ),
  ).toBe('')
})

test('an expectation that does not hold is told', () => {
  const [cause] = causes as [Cause]
  const told = judge({ ...healthy, ...cause.series }, silent(cause.firesAt, [cause.alert]))
  expect(told).toContain(cause.alert)
})

describe.each(causes)('$alert: $what', ({ alert, series, firesAt, labels, summary, description }) => {
  test('it fires then, with its words, and no other does', () => {
    const rule = rules.find((one) => one.alert === alert)
    const exp_labels = { severity: rule?.labels.severity, ...labels }
    // `needs` is of a few.
    const exp_annotations = { ...rule?.annotations, summary, description }
    const others = names().filter((name) => name !== alert)
    const expected = [
      ...silent(firesAt - 1, names()),
      ...silent(firesAt, others),
      { eval_time: `${firesAt}m`, alertname: alert, exp_alerts: [{ exp_labels, exp_annotations }] },
    ]
    expect(judge({ ...healthy, ...series }, expected)).toBe('')
  })
})

test('regression: records put aside keep their alert for as long as any is kept, and end it when none is', () => {
  const kept = 'wds_log_dead_letters_kept{consumer="delivery.ingest"}'
  const rule = rules.find(({ alert }) => alert === 'ConsumerDeadLetters')
  const alertAt = (minute: number): Expected => ({
    eval_time: `${minute}m`,
    alertname: 'ConsumerDeadLetters',
    exp_alerts: [
      {
        exp_labels: { severity: 'warning', consumer: 'delivery.ingest' },
        exp_annotations: {
          ...rule?.annotations,
          summary: 'consumer delivery.ingest put records aside',
          description: 'Kept, neither replayed nor dismissed: 2.',
        },
      },
    ],
  })
  const ended = silent(201, ['ConsumerDeadLetters'])
  expect(judge({ [kept]: '0x9 2x190 0x99' }, [alertAt(10), alertAt(30), alertAt(199), ...ended])).toBe('')
})

test('every alert has a cause', () => {
  expect([...new Set(causes.map(({ alert }) => alert))].sort()).toEqual(names().sort())
})

test('regression: the series of the causes have the labels that the reference gives their metrics', () => {
  const used = new Set([healthy, ...causes.map(({ series }) => series)].flatMap((series) => Object.keys(series)))
  expect([...used].map((series) => [series, unknownIn(series)]).filter(([, unknown]) => unknown?.length)).toEqual([])
})
