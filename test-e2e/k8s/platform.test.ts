// What stands around the services: Kafka's topics and rights (K61), connections of Postgres (K41), metrics, alerts and their pages (K80).
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { ingestGroup, topicDefinitions, topics } from '@wds/contracts/topics'
import { metricsIn, unknownIn } from './metrics-reference.ts'
import { build, type Manifest, ofKind, root } from './render.ts'

const docs = join(import.meta.dirname, '../../packages/docs')
let objects: Manifest[]
beforeAll(async () => {
  objects = (await build(join(root, 'overlays/production'))).objects
})

describe('K61', () => {
  test('the topics are those of the contracts, with their partitions, their retention and two of three in sync', () => {
    const found = ofKind(objects, 'KafkaTopic').map(({ metadata, spec }) => [
      metadata.name,
      spec.config['cleanup.policy'],
    ])
    expect(found.sort()).toEqual(
      topicDefinitions.map(({ name, compacted }) => [name, compacted ? 'compact' : 'delete']).sort(),
    )
    for (const { spec } of ofKind(objects, 'KafkaTopic')) {
      const config = { 'min.insync.replicas': 2, 'message.timestamp.type': 'LogAppendTime' }
      expect(spec).toMatchObject({ partitions: 12, replicas: 3, config })
      const isPlain = spec.config['cleanup.policy'] === 'delete'
      expect([spec.config['retention.ms'], spec.config['segment.ms']]).toEqual(
        isPlain ? [7 * 86_400_000, 6 * 3_600_000] : [undefined, undefined],
      )
    }
  })

  /** Who writes and who reads: the topics that a service's announcements name, and those that its consumers do. */
  const rights: Record<string, { writes: string[]; reads: string[] }> = {
    auth: {
      writes: [topics.authEvents, topics.accessUsed, topics.auditEntries],
      reads: [topics.authEvents, topics.accessUsed, topics.auditEntries],
    },
    api: {
      writes: [topics.workspaceEvents, topics.accessUsed, topics.auditEntries],
      reads: [topics.authEvents, topics.workspaceEvents],
    },
    catalog: { writes: [topics.catalogEventTypes], reads: [] },
    delivery: {
      writes: [topics.workspaceEvents, topics.deliveryEvents, topics.accessUsed, topics.auditEntries],
      reads: [topics.workspaceEvents, topics.authEvents],
    },
  }

  test('each service writes and reads its own topics, describes all, and has groups of its own name', () => {
    for (const { metadata, spec } of ofKind(objects, 'KafkaUser')) {
      const acls = spec.authorization.acls as Manifest[]
      const may = (operation: string) =>
        acls
          .filter(({ resource, operations }) => resource.type === 'topic' && operations.includes(operation))
          .map(({ resource }) => resource.name)
      const { writes = [], reads = [] } = rights[metadata.name] ?? {}
      expect([metadata.name, may('Write').sort(), may('Read').sort()]).toEqual([
        metadata.name,
        writes.toSorted(),
        reads.toSorted(),
      ])
      expect(may('DescribeConfigs').sort()).toEqual(topicDefinitions.map(({ name }) => name).sort())
      const groups = acls.filter(({ resource }) => resource.type === 'group').map(({ resource }) => resource.name)
      for (const group of groups) expect([`${metadata.name}.`, ingestGroup]).toContain(group)
      expect(acls.some(({ resource }) => resource.name === '*')).toBe(false)
    }
    expect(
      ofKind(objects, 'KafkaUser')
        .map(({ metadata }) => metadata.name)
        .sort(),
    ).toEqual(Object.keys(rights).sort())
  })

  test('a record that was acknowledged is on two of three brokers, and no client makes a topic', () => {
    const [{ spec }] = ofKind(objects, 'Kafka') as [Manifest]
    expect(spec.kafka.config).toMatchObject({
      'min.insync.replicas': 2,
      'auto.create.topics.enable': false,
      'unclean.leader.election.enable': false,
    })
    expect(ofKind(objects, 'KafkaNodePool')[0]?.spec.replicas).toBe(3)
  })
})

/** Connections of one process: those of `connections` in each main.ts, the loops of packages/service-host beside them. */
const connectionsOf: Record<string, number> = {
  'auth-http': 10 + 1,
  'auth-worker': 6 + 2,
  'api-http': 16 + 2 + 1,
  'api-worker': 12 + 4 + 2 + 4 + 2,
  catalog: 2 + 4 + 1 + 2,
  'delivery-http': 10 + 1,
  'delivery-worker': 9 + 4 + 2,
}

test('K41: all processes at their most, a rollout and the Jobs among them, leave a fifth of the connections', () => {
  const scalers = ofKind(objects, 'HorizontalPodAutoscaler', 'ScaledObject')
  const most = (name: string): number => {
    const scaler = scalers.find(({ spec }) => spec.scaleTargetRef.name === name)
    const deployment = ofKind(objects, 'Deployment').find(({ metadata }) => metadata.name === name)
    return (scaler?.spec.maxReplicas ?? scaler?.spec.maxReplicaCount ?? deployment?.spec.replicas) + 1
  }
  const sum = Object.entries(connectionsOf).reduce((all, [name, each]) => all + most(name) * each, 0)
  const jobs = ofKind(objects, 'Job').length
  const max = Number(ofKind(objects, 'Cluster')[0]?.spec.postgresql.parameters.max_connections)
  expect(sum).toBeGreaterThan(400)
  expect(sum + jobs + 10).toBeLessThanOrEqual(0.8 * max)
})

describe('K80', () => {
  const rules = (): Manifest[] =>
    ofKind(objects, 'PrometheusRule').flatMap(({ spec }) => spec.groups.flatMap(({ rules }: Manifest) => rules))

  test('every alert has its severity, a summary, and a page that is there', () => {
    expect(rules().length).toBeGreaterThan(11)
    for (const { alert, labels, annotations } of rules()) {
      expect([alert, ['critical', 'warning'].includes(labels.severity), annotations.summary.length > 10]).toEqual([
        alert,
        true,
        true,
      ])
      const page = /\/runbook\/([a-z-]+)$/.exec(annotations.runbook_url)?.[1]
      expect([alert, existsSync(join(docs, 'runbook', `${page}.md`))]).toEqual([alert, true])
    }
  })

  /** Who measures what no process of ours does; without cert-manager its alert is about what auth serves. */
  const platform = { kube_: 'kube-state-metrics', cnpg_: 'CloudNativePG' }

  test('regression: an alert that asks the platform says whom it needs, since without that it never fires', () => {
    for (const { alert, expr, annotations } of rules()) {
      const needed = Object.entries(platform).find(([prefix]) => expr.includes(prefix))?.[1]
      expect([alert, annotations.needs]).toEqual([alert, needed])
    }
  })

  test('every metric and label of an alert or a scaler is one that somebody emits', () => {
    const queries = [
      ...rules().map(({ expr }) => expr as string),
      ...ofKind(objects, 'ScaledObject').flatMap(({ spec }) =>
        spec.triggers.map(({ metadata }: Manifest) => metadata.query ?? ''),
      ),
    ]
    expect(new Set(queries.flatMap(metricsIn)).size).toBeGreaterThan(12)
    expect(queries.map((query) => [query, unknownIn(query)]).filter(([, unknown]) => unknown?.length)).toEqual([])
  })

  test('pods are asked for their metrics, or send them, and not both', () => {
    for (const { spec } of ofKind(objects, 'Deployment')) {
      const env = (spec.template.spec.containers[0].env ?? []) as Manifest[]
      const exporters = env.find(({ name }) => name === 'OTEL_METRICS_EXPORTER')?.value
      expect(['prometheus', undefined]).toContain(exporters)
    }
    expect(ofKind(objects, 'PodMonitor')).toHaveLength(1)
  })
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
