// What stands around the services, as rules over rendered objects: Kafka's topics and rights (K61), connections of Postgres (K41), alerts,
// their pages and metrics (K80). Each returns a line for every fault.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ingestGroup, topicDefinitions, topics } from '@wds/contracts/topics'
import { unknownIn } from './metrics-reference.ts'
import type { Rule } from './pod-rules.ts'
import { type Manifest, ofKind } from './render.ts'

const docs = join(import.meta.dirname, '../../packages/docs')
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const differing = (what: string, found: unknown, wanted: unknown): string[] =>
  same(found, wanted) ? [] : [`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`]

const named = (objects: readonly Manifest[]) => objects.map(({ metadata }) => metadata.name as string).sort()

const k61Topics: Rule = (objects) => [
  ...differing(
    'topics',
    named(ofKind(objects, 'KafkaTopic')),
    topicDefinitions.map(({ name }) => name as string).sort(),
  ),
  ...ofKind(objects, 'KafkaTopic').flatMap(({ metadata, spec }) => {
    const isCompacted = topicDefinitions.find(({ name }) => name === metadata.name)?.compacted === true
    const { config } = spec
    return differing(
      metadata.name,
      [
        spec.partitions,
        spec.replicas,
        config['min.insync.replicas'],
        config['message.timestamp.type'],
        config['cleanup.policy'],
        config['retention.ms'] ?? null,
        config['segment.ms'] ?? null,
      ],
      [
        ...[12, 3, 2, 'LogAppendTime', isCompacted ? 'compact' : 'delete'],
        isCompacted ? null : 7 * 86_400_000,
        isCompacted ? null : 6 * 3_600_000,
      ],
    )
  }),
]

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

const k61Rights: Rule = (objects) => [
  ...differing('users', named(ofKind(objects, 'KafkaUser')), Object.keys(rights).sort()),
  ...ofKind(objects, 'KafkaUser').flatMap(({ metadata, spec }) => {
    const acls = spec.authorization.acls as Manifest[]
    const of = (type: string, operation?: string) =>
      acls
        .filter(({ resource }) => resource.type === type)
        .filter(({ operations }) => operation === undefined || operations.includes(operation))
        .map(({ resource }) => resource.name as string)
        .sort()
    const { writes = [], reads = [] } = rights[metadata.name] ?? {}
    const groups = [`${metadata.name}.`, ingestGroup as string]
    return [
      ...differing(`${metadata.name} writes`, of('topic', 'Write'), writes.toSorted()),
      ...differing(`${metadata.name} reads`, of('topic', 'Read'), reads.toSorted()),
      ...differing(
        `${metadata.name} describes`,
        of('topic', 'DescribeConfigs'),
        topicDefinitions.map(({ name }) => name as string).sort(),
      ),
      ...of('group').flatMap((group) => (groups.includes(group) ? [] : [`${metadata.name} has the group ${group}`])),
      ...acls.flatMap(({ resource }) => (resource.name === '*' ? [`${metadata.name} has everything`] : [])),
    ]
  }),
]

const k61Brokers: Rule = (objects) => [
  ...differing(
    'brokers',
    ofKind(objects, 'KafkaNodePool').map(({ spec }) => spec.replicas),
    [3],
  ),
  ...ofKind(objects, 'Kafka').flatMap(({ spec: { kafka } }) =>
    differing(
      'a record that was acknowledged, and who makes topics',
      ['min.insync.replicas', 'auto.create.topics.enable', 'unclean.leader.election.enable'].map(
        (name) => kafka.config[name],
      ),
      [2, false, false],
    ),
  ),
]

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

/** All processes at their most, a rollout and the Jobs among them, leave a fifth. */
const k41: Rule = (objects) => {
  const scalers = ofKind(objects, 'HorizontalPodAutoscaler', 'ScaledObject')
  const most = (name: string): number => {
    const scaler = scalers.find(({ spec }) => spec.scaleTargetRef.name === name)
    const deployment = ofKind(objects, 'Deployment').find(({ metadata }) => metadata.name === name)
    return (scaler?.spec.maxReplicas ?? scaler?.spec.maxReplicaCount ?? deployment?.spec.replicas) + 1
  }
  const processes = Object.entries(connectionsOf).reduce((sum, [name, each]) => sum + most(name) * each, 0)
  const sum = processes + ofKind(objects, 'Job').length + 10
  const connecting = ofKind(objects, 'Deployment').filter(
    ({ spec }) => spec.template.metadata.labels['needs.workspace-data/postgres'] === 'yes',
  )
  const max = Number(ofKind(objects, 'Cluster')[0]?.spec.postgresql.parameters.max_connections)
  return [
    ...differing('counted', Object.keys(connectionsOf).sort(), named(connecting)),
    ...(sum > 400 && sum <= 0.8 * max ? [] : [`${sum} connections of ${max}`]),
  ]
}

export const alertsOf = (objects: readonly Manifest[]): Manifest[] =>
  ofKind(objects, 'PrometheusRule').flatMap(({ spec }) => spec.groups.flatMap(({ rules }: Manifest) => rules))

/** Who measures what no process of ours does; without cert-manager its alert is about what auth serves. */
const platform = { kube_: 'kube-state-metrics', cnpg_: 'CloudNativePG' }

const k80Alerts: Rule = (objects) =>
  alertsOf(objects).flatMap(({ alert, expr, labels, annotations }) => {
    const page = /\/runbook\/([a-z-]+)$/.exec(annotations.runbook_url ?? '')?.[1]
    const needed = Object.entries(platform).find(([prefix]) => expr.includes(prefix))?.[1]
    return [
      !['critical', 'warning'].includes(labels?.severity) && 'has no severity',
      !(annotations.summary?.length > 10) && 'has no summary',
      !existsSync(join(docs, 'runbook', `${page}.md`)) && `leads to ${annotations.runbook_url}, which is not there`,
      // Without it the alert never fires, and nobody would know.
      annotations.needs !== needed && `needs ${needed}, and says ${annotations.needs}`,
    ].flatMap((found) => (found === false ? [] : [`${alert} ${found}`]))
  })

const k80Metrics: Rule = (objects) =>
  [
    ...alertsOf(objects).map(({ expr }) => expr as string),
    ...ofKind(objects, 'ScaledObject').flatMap(({ spec }) =>
      spec.triggers.map(({ metadata }: Manifest) => (metadata.query ?? '') as string),
    ),
  ].flatMap((query) => unknownIn(query).map((unknown) => `${query}: nobody emits ${unknown}`))

/** Pods are asked for their metrics, or send them, and not both. */
const k80Way: Rule = (objects) => [
  ...differing('PodMonitors', ofKind(objects, 'PodMonitor').length, 1),
  ...ofKind(objects, 'Deployment').flatMap(({ metadata, spec }) => {
    const env = (spec.template.spec.containers[0].env ?? []) as Manifest[]
    const exporter = env.find(({ name }) => name === 'OTEL_METRICS_EXPORTER')?.value
    return ['prometheus', undefined].includes(exporter) ? [] : [`${metadata.name} sends its metrics to ${exporter}`]
  }),
]

export const platformRules: Readonly<Record<string, Rule>> = {
  'K41 connections': k41,
  'K61 topics': k61Topics,
  'K61 rights': k61Rights,
  'K61 brokers': k61Brokers,
  'K80 alerts': k80Alerts,
  'K80 metrics of alerts and scalers': k80Metrics,
  'K80 one way of metrics': k80Way,
}
