// What kubernetes.md 3 asks of a pod, as rules over rendered objects: each returns a line for every object that breaks it.
import { serviceNames } from '@wds/provision/provision'
import { internalTls } from './internal-tls.ts'
import { type Manifest, nameOf, ofKind, ours, podOf, workloads } from './render.ts'

export type Rule = (objects: readonly Manifest[]) => string[]

const known = 'app.kubernetes.io/'
const deployments = (objects: readonly Manifest[]) => ofKind(ours(objects), 'Deployment')

/** Findings of all objects, each with its name in front. */
function each(objects: readonly Manifest[], judge: (object: Manifest) => (string | false | undefined)[]): string[] {
  return objects.flatMap((object) =>
    judge(object)
      .filter((found) => typeof found === 'string')
      .map((found) => `${nameOf(object)}: ${found}`),
  )
}

/** Bytes of `256Mi`, cores of `500m`. */
export function quantity(text: unknown): number {
  const [, number = '', unit = ''] = /^([\d.]+)(m|Ki|Mi|Gi|)$/.exec(String(text)) ?? []
  const times = { m: 0.001, Ki: 1024, Mi: 1024 ** 2, Gi: 1024 ** 3, '': 1 }[unit]
  return number === '' || times === undefined ? Number.NaN : Number(number) * times
}

const k10: Rule = (objects) => [
  ...each(workloads(objects), (object) => {
    const pod = podOf(object) as Manifest
    const rights = pod.securityContext ?? {}
    return [
      rights.runAsNonRoot !== true && 'may run as root',
      !(rights.runAsUser > 0 && rights.runAsGroup > 0) && 'has no numeric user and group',
      rights.seccompProfile?.type !== 'RuntimeDefault' && 'has no seccomp profile',
      ...pod.containers.flatMap(({ securityContext: own = {} }: Manifest) => [
        own.allowPrivilegeEscalation !== false && 'may gain privileges',
        own.readOnlyRootFilesystem !== true && 'may write its root',
        JSON.stringify(own.capabilities) !== '{"drop":["ALL"]}' && 'keeps capabilities',
      ]),
      ...(pod.volumes ?? []).map(
        (volume: Manifest) => 'emptyDir' in volume && !volume.emptyDir?.sizeLimit && `${volume.name} has no limit`,
      ),
    ]
  }),
  ...each(ofKind(objects, 'Namespace'), ({ metadata }) => [
    metadata.labels?.['pod-security.kubernetes.io/enforce'] !== 'restricted' && 'does not enforce `restricted`',
  ]),
]

const k11: Rule = (objects) => {
  const accounts = new Set(ofKind(objects, 'ServiceAccount').map(({ metadata }) => metadata.name))
  const used = deployments(objects).map((object) => podOf(object)?.serviceAccountName)
  return [
    ...each(ours(objects), (object) => {
      const pod = podOf(object) as Manifest
      return [
        pod.automountServiceAccountToken !== false && 'mounts a token of the API server',
        !accounts.has(pod.serviceAccountName) && `has no ServiceAccount ${pod.serviceAccountName}`,
        used.filter((name) => name === pod.serviceAccountName).length > 1 && 'shares its ServiceAccount',
      ]
    }),
    ...each(ofKind(objects, 'RoleBinding', 'ClusterRoleBinding'), () => ['gives rights to pods that need none']),
  ]
}

const k12: Rule = (objects) =>
  each(workloads(objects), (object) =>
    podOf(object)?.containers.flatMap(({ image, imagePullPolicy }: Manifest) => [
      !/@sha256:[0-9a-f]{64}$/.test(image) && `${image} is not given by its digest`,
      imagePullPolicy !== 'IfNotPresent' && 'pulls what it has',
    ]),
  )

const k13: Rule = (objects) =>
  each(ours(objects), (object) =>
    podOf(object)?.containers.flatMap(({ resources = {}, env = [] }: Manifest) => {
      const { requests = {}, limits = {} } = resources
      const heap = /--max-old-space-size=(\d+)/.exec(
        env.find(({ name }: Manifest) => name === 'NODE_OPTIONS')?.value ?? '',
      )?.[1]
      const memory = quantity(limits.memory)
      return [
        !['cpu', 'memory', 'ephemeral-storage'].every((name) => quantity(requests[name]) > 0) && 'asks for nothing',
        limits.memory !== requests.memory && 'has a memory limit that is not its request',
        !(quantity(limits.cpu) >= Math.max(1, 4 * quantity(requests.cpu))) && 'is throttled in a burst',
        object.kind === 'Deployment' &&
          Number(heap) * 1_048_576 !== 0.75 * memory &&
          `has a heap of ${heap} MiB, not 75 % of its memory`,
        nameOf(object) === 'Deployment/auth-http' &&
          0.25 * memory < 64 * 1_048_576 * quantity(limits.cpu) &&
          'has no room for a password hash on each core',
      ]
    }),
  )

const k14: Rule = (objects) => {
  const budgets = ofKind(objects, 'PodDisruptionBudget')
  const hpas = ofKind(objects, 'HorizontalPodAutoscaler', 'ScaledObject').map(({ spec }) => spec.scaleTargetRef.name)
  return each(deployments(objects), (object) => {
    const { spec, metadata } = object
    const keys = (podOf(object)?.topologySpreadConstraints ?? []).map(({ topologyKey }: Manifest) => topologyKey)
    const labels = JSON.stringify(spec.selector.matchLabels)
    const own = budgets.filter((budget) => JSON.stringify(budget.spec.selector.matchLabels) === labels)
    const { maxUnavailable, maxSurge } = spec.strategy?.rollingUpdate ?? {}
    return [
      !(spec.replicas >= 2 || hpas.includes(metadata.name)) && 'has fewer than two replicas',
      !(keys.includes('topology.kubernetes.io/zone') && keys.includes('kubernetes.io/hostname')) && 'is not spread',
      (podOf(object)?.topologySpreadConstraints ?? []).some(
        ({ labelSelector }: Manifest) => JSON.stringify(labelSelector.matchLabels) !== labels,
      ) && 'is spread by the labels of others',
      (own.length !== 1 || own[0]?.spec.maxUnavailable !== 1) && 'has no disruption budget of one',
      (maxUnavailable !== 0 || maxSurge !== 1) && 'is rolled out otherwise than one by one on top',
    ]
  })
}

/** `replicas` and a scaler are two owners of one number. */
const k15: Rule = (objects) => {
  const scaled = ofKind(objects, 'HorizontalPodAutoscaler', 'ScaledObject').map(({ spec }) => spec.scaleTargetRef.name)
  return each(deployments(objects), ({ metadata, spec }) => [
    scaled.includes(metadata.name) && spec.replicas !== undefined && 'has replicas beside its scaler',
    !scaled.includes(metadata.name) && spec.replicas === undefined && 'has neither replicas nor a scaler',
  ])
}

const k16: Rule = (objects) => [
  ...each(ours(objects), (object) => {
    const missing = ['name', 'component', 'part-of', 'version'].flatMap((label) => [
      object.metadata.labels?.[known + label] === undefined && `has no label ${label}`,
      object.spec.template.metadata.labels?.[known + label] === undefined && `makes pods without a label ${label}`,
    ])
    return missing
  }),
  ...each(ofKind(objects, 'Deployment', 'Service', 'PodDisruptionBudget'), ({ kind, spec }) => {
    const selector = kind === 'Service' ? spec.selector : spec.selector.matchLabels
    return [
      Object.keys(selector).sort().join() !== `${known}component,${known}name` &&
        'selects by more or less than name and component',
    ]
  }),
]

const k20: Rule = (objects) =>
  each(deployments(objects), (object) =>
    podOf(object)?.containers.flatMap(({ startupProbe, livenessProbe, readinessProbe }: Manifest) => {
      const probes = [startupProbe, livenessProbe, readinessProbe]
      const paths = probes.map((probe) => probe?.httpGet?.path)
      const ports = new Set(probes.map((probe) => probe?.httpGet?.port))
      return [
        paths.join() !== '/livez,/livez,/readyz' && `K20, K21, K22: is asked at ${paths.join()}`,
        (ports.size !== 1 || !ports.has('management')) && 'is asked at another port than that of management',
        !(startupProbe?.periodSeconds * startupProbe?.failureThreshold >= 60) && 'K20: has less than 60 s to start',
        new Set(probes.map((probe) => JSON.stringify(probe))).size !== 3 && 'has two probes that are the same',
      ]
    }),
  )

const k30: Rule = (objects) =>
  each(deployments(objects), (object) => {
    const pod = podOf(object) as Manifest
    return [
      pod.terminationGracePeriodSeconds !== 45 && 'is not given 45 s to end',
      ...pod.containers.map(
        ({ lifecycle }: Manifest) => lifecycle?.preStop?.sleep?.seconds !== 5 && 'does not wait 5 s for the edge',
      ),
    ]
  })

const k40: Rule = (objects) => {
  const hpas = ofKind(objects, 'HorizontalPodAutoscaler')
  const scalers = ofKind(objects, 'ScaledObject')
  const owners = [...hpas, ...scalers].map(({ spec }) => spec.scaleTargetRef.name)
  const names = new Set(ofKind(objects, 'Deployment').map(({ metadata }) => metadata.name))
  return each([...hpas, ...scalers], (object) => {
    const { spec } = object
    const behavior = spec.behavior ?? spec.advanced?.horizontalPodAutoscalerConfig?.behavior ?? {}
    const up = behavior.scaleUp?.policies?.[0] ?? {}
    return [
      !names.has(spec.scaleTargetRef.name) && `scales ${spec.scaleTargetRef.name}, which is not there`,
      owners.filter((name) => name === spec.scaleTargetRef.name).length > 1 &&
        'shares its Deployment with another scaler',
      !((spec.minReplicas ?? spec.minReplicaCount) >= 2) && 'may go below two',
      (up.type !== 'Percent' || up.value > 100 || up.periodSeconds < 60) && 'more than doubles in 60 s',
      !(behavior.scaleDown?.stabilizationWindowSeconds >= 600) && 'goes down within 10 minutes',
      ...(spec.triggers ?? [])
        .filter(({ type }: Manifest) => type === 'prometheus')
        .flatMap(({ metricType, metadata }: Manifest) => [
          metricType !== 'Value' && `divides the age ${metadata.query} by its replicas`,
          metadata.ignoreNullValues !== 'false' && `takes ${metadata.query} for 0 where nobody measures it`,
        ]),
    ]
  })
}

/** When a tool that knows waves applies it: 0 without the annotation. */
const waveOf = ({ metadata }: Manifest) => Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0)

const k60: Rule = (objects) => {
  const jobs = ofKind(objects, 'Job')
  const version = ofKind(ours(objects), 'Deployment')[0]?.metadata.labels?.[`${known}version`]
  return [
    ...serviceNames.flatMap((service) =>
      jobs.filter(({ metadata }) => metadata.labels?.[`${known}name`] === service).length === 1
        ? []
        : [`${service}: not one migration`],
    ),
    ...each(jobs, (object) => {
      const { metadata, spec } = object
      const pod = podOf(object) as Manifest
      return [
        !metadata.name.endsWith(`-${String(version).replaceAll('.', '-')}`) &&
          `does not bear the release ${version} in its name`,
        spec.backoffLimit !== 2 && 'is not tried three times',
        !(spec.ttlSecondsAfterFinished > 0) && 'stays for ever',
        pod.containers[0]?.args?.join() !== 'migrate' && 'does something else',
        !(waveOf(object) > 0) && 'does not come behind what it needs',
      ]
    }),
    ...each(deployments(objects), (object) => [
      JSON.stringify(podOf(object)).includes('-owner') && 'mounts the address of the owner of a schema',
    ]),
    ...each(ofKind(ours(objects), 'Deployment'), (object) => [
      !(waveOf(object) > Math.max(...jobs.map(waveOf))) && 'does not come behind the migrations',
    ]),
    ...each(ofKind(objects, 'HorizontalPodAutoscaler', 'ScaledObject'), (object) => [
      !(waveOf(object) > Math.max(...deployments(objects).map(waveOf))) && 'does not come behind what it scales',
    ]),
  ]
}

/** Secrets come by files, and none stands in the repository. */
const k70: Rule = (objects) => [
  ...each(ofKind(objects, 'Secret'), ({ data, stringData }) => [(data ?? stringData) && 'holds data']),
  ...each(ours(objects), (object) => {
    const pod = podOf(object) as Manifest
    return [
      ...(pod.volumes ?? []).map(
        ({ name, secret, projected }: Manifest) =>
          (secret ?? projected) !== undefined &&
          ((secret ?? projected).defaultMode !== 0o440 || pod.securityContext?.fsGroup === undefined) &&
          `${name} cannot be read, or by too many`,
      ),
      ...pod.containers.flatMap(({ env = [], envFrom = [], volumeMounts = [] }: Manifest) => [
        (JSON.stringify(env).includes('secretKeyRef') || JSON.stringify(envFrom).includes('secretRef')) &&
          'has a secret in its environment',
        ...volumeMounts.map(
          ({ subPath, name }: Manifest) =>
            subPath !== undefined && `${name} is mounted by subPath, which is never updated`,
        ),
      ]),
    ]
  }),
]

export const podRules: Readonly<Record<string, Rule>> = {
  'K10 restricted': k10,
  'K11 accounts': k11,
  'K12 digests': k12,
  'K13 resources': k13,
  'K14 replicas, spread, disruption, rollout': k14,
  'K15 one owner of replicas': k15,
  'K16 labels': k16,
  'K20, K21, K22 probes': k20,
  'K30 budget of a stop': k30,
  'K40 scalers': k40,
  'K52 TLS between services': internalTls,
  'K60 migrations': k60,
  'K70 secrets': k70,
}
