// The keys of the incidents name alerts and pages that are there, and the desk knows the commands of the pages.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { answers } from './answers.ts'
import { incidents } from './incidents.ts'
import { toldOf } from './prometheus.ts'
import { hasten, pageOf, readRules } from './rules.ts'
import { commandsOf, deskCommand, runbookFolder, runbookPages } from './runbook.ts'

const rules = readRules()

test('every incident has a key, and every key an incident', () => {
  expect(Object.keys(answers).sort()).toEqual(incidents.map(({ name }) => name).sort())
  expect(incidents.length).toBeGreaterThanOrEqual(10)
})

test('every alert is made to fire by an incident', () => {
  const made = Object.values(answers).flatMap(({ alerts }) => alerts)
  expect(rules.map(({ alert }) => alert).filter((alert) => !made.includes(alert))).toEqual([])
})

describe.each(Object.entries(answers))('%s', (_name, { alerts, follows, page, ticket, evidence }) => {
  test('its alerts are rules, one of them leads to its page, or somebody reports it', () => {
    const known = rules.map(({ alert }) => alert)
    expect([...alerts, ...follows].filter((alert) => !known.includes(alert))).toEqual([])
    expect(existsSync(join(runbookFolder, page))).toBe(true)
    if (ticket === undefined) expect(rules.filter(({ alert }) => alerts.includes(alert)).map(pageOf)).toContain(page)
    else expect(alerts).toEqual([])
  })

  test('the command that shows its cause stands on its page', () => {
    expect(commandsOf(page).map(plain)).toContain(plain(evidence.command))
  })
})

/** A command whatever the Deployment, service or webhook that it is asked of. */
function plain(command: string[]): string {
  const words = command[0] === 'sql' && command.length > 2 ? ['sql', ...command.slice(2)] : command
  return words
    .join(' ')
    .replaceAll(/deploy\/\S+/g, 'deploy/…')
    .replaceAll(/(?<=logs )[a-z-]+(?= )(?<!-l)/g, '<pod>')
    .replaceAll(/(?<=\/(?:name|component)=)[a-z]+/g, '…')
    .replaceAll(/\{\w+\}/g, '{…}')
}

test('regression: ErrorsHigh, which rings by night, leads to each cause that has no alert by night', () => {
  const isUrgent = (name: string) => rules.some(({ alert, labels }) => alert === name && labels.severity === 'critical')
  const causes = Object.values(answers)
    .filter(({ alerts, follows }) => follows.includes('ErrorsHigh') && !alerts.some(isUrgent))
    .map(({ page }) => page)
  expect(causes).not.toEqual([])
  const text = readFileSync(join(runbookFolder, 'errors-high.md'), 'utf8')
  expect(causes.filter((page) => !text.includes(`](${page})`))).toEqual([])
})

test('every page of the runbook has commands for the desk', () => {
  expect(runbookPages.filter((page) => commandsOf(page).length === 0)).toEqual([])
})

test('regression: the desk tells of what an alert is, as a pager does', () => {
  const labels = { alertname: 'OutboxNotPublished', severity: 'critical', app_kubernetes_io_name: 'api' }
  const runbook_url = 'https://docs.example.com/runbook/outbox-not-published'
  const annotations = {
    summary: 'events of api do not reach the log',
    description: 'The oldest waits 1m.',
    runbook_url,
  }
  expect(toldOf({ labels, annotations })).toBe(
    'OutboxNotPublished (critical, app_kubernetes_io_name=api): events of api do not reach the log. The oldest waits 1m. See outbox-not-published.md',
  )
})

test('a rule that is hastened keeps its question: only its waiting times are shorter', () => {
  const rule = {
    alert: 'A',
    labels: { severity: 'warning' },
    annotations: { summary: '', description: '', runbook_url: '' },
  }
  const expr =
    'max by (x) (a_age_seconds{reason="held"}) > 60 or sum(increase(b_total[1h])) > 1000 or rate(c[5m]) > 0.02'
  expect(hasten({ ...rule, expr, for: '1h' })).toEqual({
    ...rule,
    expr: 'max by (x) (a_age_seconds{reason="held"}) > 30 or sum(increase(b_total[180s])) > 50 or rate(c[15s]) > 0.02',
    for: '180s',
  })
  expect(hasten({ ...rule, expr: 'max(a_bytes) > 5000000000', for: '5m' })).toMatchObject({
    expr: 'max(a_bytes) > 250000000',
    for: '15s',
  })
  expect(hasten({ ...rule, expr: 'max(a_age_seconds) > 900', for: '0m' })).toMatchObject({
    expr: 'max(a_age_seconds) > 45',
    for: '0s',
  })
})

test.each([
  [
    'kubectl -n workspace-data logs -l app.kubernetes.io/name=<service> --since=10m | grep relay',
    ['kubectl', '-n', 'workspace-data', 'logs', '-l', 'app.kubernetes.io/name=api', '--since=10m'],
  ],
  [
    'kubectl -n workspace-data logs <pod> --tail 20',
    ['kubectl', '-n', 'workspace-data', 'logs', 'api-http', '--tail', '20'],
  ],
  ['kubectl -n workspace-data get certificate', null],
  ['kubectl cordon', null],
  ['select 1', ['sql', 'select 1']],
  ['select pg_terminate_backend(<pid>)', null],
  ['GET /v1/dead-letters/causes', ['call', 'meridian', 'GET', '/v1/dead-letters/causes']],
  ['wds_log_lag_records', ['query', 'wds_log_lag_records']],
  ['min by (pod) (up{pod!=""})', ['query', 'min by (pod) (up{pod!=""})']],
  ['WDS_LOG_PARTITIONS', null],
])('%s is %j to the desk', (code, command) => expect(deskCommand(code)).toEqual(command))
