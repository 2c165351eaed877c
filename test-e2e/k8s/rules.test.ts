// The rules of kubernetes.md 2 and 3 over what every overlay gives (K92), each with a fault that it finds.
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { plant } from './plant.ts'
import { podRules } from './pod-rules.ts'
import { build, buildWith, components, type Manifest, ofKind, ours, overlays, release, root } from './render.ts'

type Built = Awaited<ReturnType<typeof build>>
const ofOverlays = new Map<string, Built>()
/** The base with one component. */
const ofComponents = new Map<string, Built>()
beforeAll(async () => {
  for (const overlay of overlays) ofOverlays.set(overlay, await build(join(root, 'overlays', overlay)))
  for (const component of components) ofComponents.set(component, await buildWith(component))
})
const objectsOf = (overlay: string): Manifest[] => structuredClone(ofOverlays.get(overlay)?.objects ?? [])

describe('K90', () => {
  test.each(overlays)('the overlay %s builds without a warning', (overlay) => {
    expect(ofOverlays.get(overlay)?.said).toBe('')
    expect(objectsOf(overlay).length).toBeGreaterThan(50)
  })

  test.each(components)('the base with %s alone builds without a warning', (component) => {
    const { objects = [], said } = ofComponents.get(component) ?? {}
    expect(said).toBe('')
    expect(objects.length).toBeGreaterThan(ofKind(objectsOf('local'), 'Deployment').length)
  })

  test('every component is in an overlay', () => {
    const kinds = new Set(overlays.flatMap(objectsOf).map(({ kind }) => kind as string))
    for (const [component, { objects }] of ofComponents)
      for (const { kind } of objects) expect([component, kind, kinds.has(kind)]).toEqual([component, kind, true])
    expect([...ofComponents.keys()]).toEqual(components)
  })
})

describe.each(overlays)('%s', (overlay) => {
  test.each(Object.keys(podRules))('%s', (name) => {
    expect(podRules[name]?.(objectsOf(overlay))).toEqual([])
  })
})

const pod = 'spec.template.spec'
const container = `${pod}.containers.0`

/** Faults planted into what production gives: the rule that has to find it, what it is, the object, the path in it, and the value put there. */
const planted: [rule: string, what: string, object: string, path: string, value?: unknown][] = [
  ['K10 restricted', 'a pod that may run as root', 'Deployment/catalog', `${pod}.securityContext.runAsNonRoot`],
  [
    'K10 restricted',
    'a root that can be written',
    'Deployment/api-http',
    `${container}.securityContext.readOnlyRootFilesystem`,
    false,
  ],
  [
    'K10 restricted',
    'a capability',
    'Deployment/api-http',
    `${container}.securityContext.capabilities.add`,
    ['NET_BIND_SERVICE'],
  ],
  ['K10 restricted', 'temporary files without a limit', 'Deployment/console', `${pod}.volumes.0.emptyDir`, {}],
  ['K10 restricted', 'a namespace that enforces nothing', 'Namespace/workspace-data', 'metadata.labels'],
  ['K11 accounts', 'a token of the API server', 'Deployment/api-worker', `${pod}.automountServiceAccountToken`],
  ['K11 accounts', 'two that share an account', 'Deployment/api-worker', `${pod}.serviceAccountName`, 'api-http'],
  ['K11 accounts', 'a role', 'ServiceAccount/catalog', 'kind', 'RoleBinding'],
  [
    'K12 digests',
    'an image by its tag',
    'Deployment/auth-http',
    `${container}.image`,
    'registry.example.com/auth:1.0.0',
  ],
  [
    'K13 resources',
    'a memory limit above the request',
    'Deployment/auth-http',
    `${container}.resources.limits.memory`,
    '2Gi',
  ],
  [
    'K13 resources',
    'a CPU limit at the request',
    'Deployment/delivery-worker',
    `${container}.resources.limits.cpu`,
    '1',
  ],
  [
    'K13 resources',
    'a heap as large as the memory',
    'Deployment/catalog',
    `${container}.env`,
    [{ name: 'NODE_OPTIONS', value: '--max-old-space-size=256' }],
  ],
  ['K14 replicas, spread, disruption, rollout', 'one replica', 'Deployment/catalog', 'spec.replicas', 1],
  [
    'K14 replicas, spread, disruption, rollout',
    'a budget of nothing',
    'PodDisruptionBudget/catalog',
    'spec.maxUnavailable',
    0,
  ],
  [
    'K14 replicas, spread, disruption, rollout',
    'a budget of others',
    'PodDisruptionBudget/catalog',
    'spec.selector.matchLabels',
    { a: 'b' },
  ],
  [
    'K14 replicas, spread, disruption, rollout',
    'a rollout that takes one away first',
    'Deployment/console',
    'spec.strategy.rollingUpdate.maxUnavailable',
    1,
  ],
  ['K15 one owner of replicas', 'replicas beside a scaler', 'Deployment/api-http', 'spec.replicas', 3],
  ['K16 labels', 'a pod without labels of its own', 'Deployment/api-http', 'spec.template.metadata.labels', {}],
  ['K16 labels', 'a selector of one label', 'Service/api-http', 'spec.selector', { 'app.kubernetes.io/name': 'api' }],
  [
    'K20, K21, K22 probes',
    'liveness that asks for readiness',
    'Deployment/api-http',
    `${container}.livenessProbe.httpGet.path`,
    '/readyz',
  ],
  [
    'K20, K21, K22 probes',
    'no liveness, as where its name is misspelt',
    'Deployment/api-http',
    `${container}.livenessProbe`,
  ],
  [
    'K20, K21, K22 probes',
    'a start of at most 20 s',
    'Deployment/api-http',
    `${container}.startupProbe.failureThreshold`,
    10,
  ],
  ['K30 budget of a stop', 'a grace of 30 s', 'Deployment/delivery-worker', `${pod}.terminationGracePeriodSeconds`, 30],
  ['K30 budget of a stop', 'no wait for the edge', 'Deployment/api-http', `${container}.lifecycle`],
  ['K40 scalers', 'an age that is divided', 'ScaledObject/delivery-worker', 'spec.triggers.0.metricType'],
  [
    'K40 scalers',
    'an age that counts as 0 where it is missing',
    'ScaledObject/api-worker',
    'spec.triggers.1.metadata.ignoreNullValues',
    'true',
  ],
  ['K40 scalers', 'a scaler of nothing', 'HorizontalPodAutoscaler/api-http', 'spec.scaleTargetRef.name', 'nobody'],
  ['K40 scalers', 'two scalers of one', 'HorizontalPodAutoscaler/api-http', 'spec.scaleTargetRef.name', 'api-worker'],
  ['K40 scalers', 'one at least', 'ScaledObject/api-worker', 'spec.minReplicaCount', 1],
  [
    'K52 TLS between services',
    'a service that asks in plain HTTP',
    'Deployment/api-http',
    `${container}.env.0`,
    { name: 'WDS_AUTH_INTERNAL_URL', value: 'http://auth-internal:8091' },
  ],
  [
    'K52 TLS between services',
    'a name that the certificate is not for',
    'Certificate/auth-internal',
    'spec.dnsNames',
    ['auth'],
  ],
  [
    'K52 TLS between services',
    'a service that does not know the CA',
    'Deployment/delivery-worker',
    `${pod}.volumes.1.projected.sources.1`,
    {},
  ],
  [
    'K52 TLS between services',
    'a Service that leads to plain HTTP',
    'Service/auth-internal',
    'spec.ports.0.appProtocol',
    'http',
  ],
  [
    'K52 TLS between services',
    'a listener without its certificate',
    'Deployment/auth-http',
    `${pod}.volumes.1.projected.sources.1`,
    {},
  ],
  [
    'K52 TLS between services',
    'a listener whose setting names another file',
    'Deployment/auth-http',
    `${container}.env.0`,
    { name: 'WDS_INTERNAL_TLS_CERT_FILE', value: '/tmp/x' },
  ],
  [
    'K52 TLS between services',
    'a client that holds the private key',
    'Deployment/api-worker',
    `${pod}.volumes.1.projected.sources.1.secret.items.1`,
    { key: 'tls.key', path: 'x' },
  ],
  [
    'K52 TLS between services',
    'a client that mounts the whole Secret',
    'Deployment/api-worker',
    `${pod}.volumes.1.projected.sources.0.secret`,
    { name: 'auth-internal-tls' },
  ],
  ['K52 TLS between services', 'a certificate of nobody', 'Certificate/auth-internal', 'spec.issuerRef.name', 'nobody'],
  [
    'K52 TLS between services',
    'a certificate that signs itself',
    'Certificate/auth-internal',
    'spec.issuerRef.name',
    'self-signed',
  ],
  ['K52 TLS between services', 'an Issuer without its CA', 'Issuer/internal-ca', 'spec.ca.secretName', 'nobody'],
  ['K52 TLS between services', 'a renewal after the alert', 'Certificate/auth-internal', 'spec.renewBefore', '240h'],
  [
    'K52 TLS between services',
    'a CA whose key changes',
    'Certificate/internal-ca',
    'spec.privateKey.rotationPolicy',
    'Always',
  ],
  ['K60 migrations', 'a Job named without its release', `Job/api-migrate-${release}`, 'metadata.name', 'api-migrate'],
  ['K60 migrations', 'a Job of no wave', `Job/api-migrate-${release}`, 'metadata.annotations'],
  ['K60 migrations', 'a rollout beside its migration', 'Deployment/delivery-worker', 'metadata.annotations'],
  ['K60 migrations', 'a scaler before its Deployment', 'ScaledObject/delivery-worker', 'metadata.annotations'],
  ['K60 migrations', 'a Job that is tried for ever', `Job/api-migrate-${release}`, 'spec.backoffLimit', 100],
  ['K60 migrations', 'a Job that stays', `Job/api-migrate-${release}`, 'spec.ttlSecondsAfterFinished'],
  ['K60 migrations', 'a service without a migration', `Job/api-migrate-${release}`, 'kind', 'CronJob'],
  [
    'K60 migrations',
    'a service that mounts the owner',
    'Deployment/api-http',
    `${pod}.volumes.0`,
    { name: 'x', secret: { secretName: 'api-owner', defaultMode: 0o440 } },
  ],
  ['K70 secrets', 'a Secret with data', 'ConfigMap/dashboards', 'kind', 'Secret'],
  [
    'K70 secrets',
    'a secret in the environment',
    'Deployment/api-http',
    `${container}.env.0`,
    { name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name: 'x', key: 'y' } } },
  ],
  [
    'K70 secrets',
    'a file for everybody',
    'Deployment/api-http',
    `${pod}.volumes.0`,
    { name: 'x', secret: { secretName: 'x', defaultMode: 0o444 } },
  ],
]

const rows = planted.map(([rule, what, name, path, value]) => ({ rule, what, name, path, value }))
test.each(rows)('K92: $rule finds $what', ({ rule, name, path, value }) => {
  const objects = objectsOf('production')
  plant(objects, name, path, value)
  expect(podRules[rule]?.(objects)).not.toEqual([])
})

test('every rule has a planted fault', () => {
  expect([...new Set(planted.map(([rule]) => rule))].sort()).toEqual(Object.keys(podRules).sort())
  expect(ours(objectsOf('production')).length).toBeGreaterThan(10)
})
