// What stands around the services, by platform-rules.ts, each with a fault that it finds (K92); and the README's overlay for managed stores.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import { serviceNames } from '@wds/provision/provision'
import { metricsIn } from './metrics-reference.ts'
import { plant } from './plant.ts'
import { alertsOf, platformRules } from './platform-rules.ts'
import { build, type Manifest, ofKind, root } from './render.ts'

let objects: Manifest[]
beforeAll(async () => {
  objects = (await build(join(root, 'overlays/production'))).objects
})

test.each(Object.entries(platformRules))('%s', (_name, judge) => {
  expect(judge(objects)).toEqual([])
})

test('the rules look at what is there', () => {
  expect(ofKind(objects, 'KafkaTopic').length).toBeGreaterThan(4)
  expect(ofKind(objects, 'KafkaUser').length).toBe(serviceNames.length)
  expect(alertsOf(objects).length).toBeGreaterThan(11)
  expect(new Set(alertsOf(objects).flatMap(({ expr }) => metricsIn(expr))).size).toBeGreaterThan(12)
})

const firstAlert = 'spec.groups.0.rules.0'
/** Faults planted into what production gives: the rule that has to find it, what it is, the object, the path in it, and the value put there. */
const planted: [rule: string, what: string, object: string, path: string, value?: unknown][] = [
  ['K41 connections', 'a scaler that may go further', 'HorizontalPodAutoscaler/api-http', 'spec.maxReplicas', 40],
  ['K41 connections', 'fewer of them', 'Cluster/postgres', 'spec.postgresql.parameters.max_connections', '400'],
  ['K41 connections', 'a process that nobody counts', 'Deployment/catalog', 'metadata.name', 'notices'],
  ['K61 topics', 'a topic that nobody knows', 'KafkaTopic/auth.events', 'metadata.name', 'auth.event'],
  ['K61 topics', 'one partition less', 'KafkaTopic/auth.events', 'spec.partitions', 11],
  ['K61 topics', 'one that forgets', 'KafkaTopic/auth.events', 'spec.config', { 'cleanup.policy': 'delete' }],
  ['K61 rights', 'a service without a user', 'KafkaUser/api', 'kind', 'ConfigMap'],
  ['K61 rights', 'a right less', 'KafkaUser/delivery', 'spec.authorization.acls.0.operations', []],
  ['K61 rights', 'everything', 'KafkaUser/catalog', 'spec.authorization.acls.0.resource.name', '*'],
  ['K61 brokers', 'two of them', 'KafkaNodePool/nodes', 'spec.replicas', 2],
  ['K61 brokers', 'topics that anybody makes', 'Kafka/kafka', 'spec.kafka.config', { 'min.insync.replicas': 2 }],
  [
    'K80 alerts',
    'a page that is not there',
    'PrometheusRule/workspace-data',
    `${firstAlert}.annotations.runbook_url`,
    '/runbook/x',
  ],
  ['K80 alerts', 'no severity', 'PrometheusRule/workspace-data', `${firstAlert}.labels`, {}],
  ['K80 alerts', 'no summary', 'PrometheusRule/workspace-data', `${firstAlert}.annotations.summary`, ''],
  [
    'K80 alerts',
    'one that asks the platform and does not say so',
    'PrometheusRule/workspace-data',
    `${firstAlert}.expr`,
    'kube_pod_info == 0',
  ],
  [
    'K80 metrics of alerts and scalers',
    'an alert on nothing',
    'PrometheusRule/workspace-data',
    `${firstAlert}.expr`,
    'max(wds_no_such_seconds) > 1',
  ],
  [
    'K80 metrics of alerts and scalers',
    'a scaler by nothing',
    'ScaledObject/delivery-worker',
    'spec.triggers.0.metadata.query',
    'max(wds_no_such_seconds)',
  ],
  ['K80 one way of metrics', 'nobody who asks', 'PodMonitor/workspace-data', 'kind', 'ServiceMonitor'],
  [
    'K80 one way of metrics',
    'a service that sends',
    'Deployment/api-http',
    'spec.template.spec.containers.0.env',
    [{ name: 'OTEL_METRICS_EXPORTER', value: 'otlp' }],
  ],
]

const rows = planted.map(([rule, what, name, path, value]) => ({ rule, what, name, path, value }))
test.each(rows)('K92: $rule finds $what', ({ rule, name, path, value }) => {
  const spoilt = structuredClone(objects)
  plant(spoilt, name, path, value)
  expect(platformRules[rule]?.(spoilt)).not.toEqual([])
})

test('every rule has a planted fault', () => {
  expect([...new Set(planted.map(([rule]) => rule))].sort()).toEqual(Object.keys(platformRules).sort())
})

test('regression: the overlay of the README for managed stores renders, with the certificate that pods wait for', async () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const overlay = /## Managed Kafka or Postgres.*?```yaml\n(.*?)```/s.exec(readme)?.[1]
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'wds-k8s-'))
  try {
    writeFileSync(join(folder, 'platform.env'), readFileSync(join(root, 'overlays/production/platform.env')))
    const text = `kind: Kustomization\nnamespace: workspace-data\nresources: [../../base]\n${overlay}`
    writeFileSync(join(folder, 'kustomization.yaml'), text.replaceAll('../../', `${relative(folder, root)}/`))
    const rendered = (await build(folder)).objects
    expect(ofKind(rendered, 'Kafka', 'Cluster')).toEqual([])
    expect(ofKind(rendered, 'Certificate').map(({ spec }) => spec.secretName)).toContain('auth-internal-tls')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
