// K50 beyond our own pods: under the default that denies both ways, the pods that the operators make can do their work, and who may go to them is let in.
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { build, type Manifest, nameOf, ofKind, ours, overlays, root } from './render.ts'

type Labels = Record<string, string>

/** Pods that no object of ours makes, by the labels that their operator gives them. */
const postgres: Labels = { 'cnpg.io/cluster': 'postgres', 'cnpg.io/podRole': 'instance' }
const pooler: Labels = {
  'cnpg.io/cluster': 'postgres',
  'cnpg.io/poolerName': 'postgres-pooler',
  'cnpg.io/podRole': 'pooler',
}
const broker: Labels = { 'strimzi.io/cluster': 'kafka', 'strimzi.io/kind': 'Kafka', 'strimzi.io/name': 'kafka-kafka' }
const entityOperator: Labels = { ...broker, 'strimzi.io/name': 'kafka-entity-operator' }

const matches = (selector: Manifest | undefined, labels: Labels): boolean =>
  selector !== undefined && Object.entries(selector.matchLabels ?? {}).every(([name, value]) => labels[name] === value)

/** Strimzi makes a policy of the listener's peers, and lets brokers, operators and controllers in at its own ports. */
const ofStrimzi = (objects: readonly Manifest[]): Manifest[] =>
  ofKind(objects, 'Kafka').map(({ spec }) => ({
    spec: {
      podSelector: { matchLabels: { 'strimzi.io/name': 'kafka-kafka' } },
      policyTypes: ['Ingress'],
      ingress: [
        ...spec.kafka.listeners.map((listener: Manifest) => ({
          from: listener.networkPolicyPeers,
          ports: [{ port: listener.port }],
        })),
        {
          from: [{ podSelector: { matchLabels: { 'strimzi.io/cluster': 'kafka' } } }],
          ports: [{ port: 9090 }, { port: 9091 }],
        },
      ],
    },
  }))

/** Whether policies let the one talk to the other at the port, both ways of asking. */
function mayTalk(objects: readonly Manifest[], from: Labels, to: Labels, port: number): boolean {
  const policies = [...ofKind(objects, 'NetworkPolicy'), ...ofStrimzi(objects)]
  const lets = (way: 'ingress' | 'egress', of: Labels, other: Labels): boolean =>
    policies
      .filter(({ spec }) => matches(spec.podSelector, of))
      .flatMap(({ spec }) => (spec[way] ?? []) as Manifest[])
      .some(
        (rule) =>
          (rule.ports as Manifest[]).some((one) => one.port === port) &&
          (rule[way === 'ingress' ? 'from' : 'to'] as Manifest[]).some(
            (peer) => peer.namespaceSelector === undefined && matches(peer.podSelector, other),
          ),
      )
  return lets('egress', from, to) && lets('ingress', to, from)
}

/** Whether pods of a namespace are let in. */
const letsIn = (objects: readonly Manifest[], to: Labels, namespace: Labels, port: number): boolean =>
  [...ofKind(objects, 'NetworkPolicy'), ...ofStrimzi(objects)]
    .filter(({ spec }) => matches(spec.podSelector, to))
    .flatMap(({ spec }) => (spec.ingress ?? []) as Manifest[])
    .some(
      (rule) =>
        (rule.ports as Manifest[]).some((one) => one.port === port) &&
        (rule.from as Manifest[]).some((peer) => matches(peer.namespaceSelector, namespace)),
    )

const reachesApiServer = (objects: readonly Manifest[], from: Labels): boolean =>
  ofKind(objects, 'NetworkPolicy')
    .filter(({ spec }) => matches(spec.podSelector, from))
    .flatMap(({ spec }) => (spec.egress ?? []) as Manifest[])
    .some(
      (rule) =>
        rule.ports.some((one: Manifest) => one.port === 6443) && rule.to.some(({ ipBlock }: Manifest) => ipBlock),
    )

/** A line for each way that is needed and closed. */
function closedWays(objects: readonly Manifest[]): string[] {
  const labelsOf = ({ spec }: Manifest) => spec.template.metadata.labels as Labels
  const needs = (label: string) =>
    ours(objects).filter((one) => labelsOf(one)[`needs.workspace-data/${label}`] === 'yes')
  const of = (namespace: string): Labels => ({ 'kubernetes.io/metadata.name': namespace })
  const ways: [string, boolean][] = [
    ...needs('postgres').flatMap((one): [string, boolean][] => [
      [`${nameOf(one)} to Postgres`, mayTalk(objects, labelsOf(one), postgres, 5432)],
      [`${nameOf(one)} to the Pooler`, mayTalk(objects, labelsOf(one), pooler, 5432)],
    ]),
    ...needs('kafka').map((one): [string, boolean] => [
      `${nameOf(one)} to Kafka`,
      mayTalk(objects, labelsOf(one), broker, 9093),
    ]),
    ['Pooler to Postgres', mayTalk(objects, pooler, postgres, 5432)],
    ['a standby to its primary', mayTalk(objects, postgres, postgres, 5432)],
    ['an instance to the others', mayTalk(objects, postgres, postgres, 8000)],
    ['CloudNativePG to an instance', letsIn(objects, postgres, of('cnpg-system'), 8000)],
    ['CloudNativePG to Postgres', letsIn(objects, postgres, of('cnpg-system'), 5432)],
    ['an instance to the API server', reachesApiServer(objects, postgres)],
    ['Prometheus to Postgres', letsIn(objects, postgres, { 'workspace-data/monitoring': 'yes' }, 9187)],
    ['a broker to the others', mayTalk(objects, broker, broker, 9091)],
    ['a controller to the others', mayTalk(objects, broker, broker, 9090)],
    ['the entity operator to Kafka', mayTalk(objects, entityOperator, broker, 9091)],
    ['the entity operator to the API server', reachesApiServer(objects, entityOperator)],
    ['KEDA to Kafka', letsIn(objects, broker, of('keda'), 9093)],
  ]
  return ways.filter(([, isOpen]) => !isOpen).map(([way]) => way)
}

const rendered = new Map<string, Manifest[]>()
beforeAll(async () => {
  for (const overlay of overlays) rendered.set(overlay, (await build(join(root, 'overlays', overlay))).objects)
})
const objectsOf = (overlay: string) => structuredClone(rendered.get(overlay) ?? [])

describe('K50: the stores under the default that denies', () => {
  test.each(overlays)('regression: %s lets in who may go out to them, and their own pods do their work', (overlay) => {
    expect(closedWays(objectsOf(overlay))).toEqual([])
  })

  test.each([
    ['postgres-pods', /Postgres|standby|instance|Pooler/],
    ['kafka-pods', /broker|controller|entity operator/],
    ['postgres', /to Postgres|to the Pooler/],
    ['kafka', /to Kafka/],
  ])('without the policy %s ways are closed, and the check finds them', (name, found) => {
    const objects = objectsOf('production').filter(
      ({ kind, metadata }) => kind !== 'NetworkPolicy' || metadata.name !== name,
    )
    const closed = closedWays(objects)
    expect(closed.length).toBeGreaterThan(1)
    for (const way of closed) expect(way).toMatch(found)
  })

  test('a listener whose peers forget KEDA is found', () => {
    const objects = objectsOf('production')
    ofKind(objects, 'Kafka')[0]?.spec.kafka.listeners[0].networkPolicyPeers.pop()
    expect(closedWays(objects)).toEqual(['KEDA to Kafka'])
  })
})
