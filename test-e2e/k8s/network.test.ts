// K50, K51: who may talk to whom, computed from the policies as a network plugin would, equals the table of kubernetes.md 3; and the
// internet is what packages/outbound lets through.
import { BlockList, isIPv6 } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import {
  cloudHostServiceBlocks,
  ipv4MulticastBlock,
  ipv4SpecialPurposeBlocks,
  ipv6GlobalUnicastBlock,
  ipv6SpecialPurposeBlocks,
} from '@wds/outbound/special-purpose-blocks'
import { plant } from './plant.ts'
import { build, type Manifest, ofKind, ours, overlays, release, root } from './render.ts'

/** kubernetes.md 3, the table of the network: in, and out besides DNS and the collector. */
const table: Record<string, { in: string[]; out: string[] }> = {
  'auth-http': { in: ['edge', 'auth internal'], out: ['postgres'] },
  'auth-worker': { in: [], out: ['kafka', 'postgres'] },
  'api-http': { in: ['edge'], out: ['auth internal', 'internet', 'postgres'] },
  'api-worker': { in: [], out: ['auth internal', 'internet', 'kafka', 'postgres'] },
  catalog: { in: ['edge'], out: ['kafka', 'postgres'] },
  'delivery-http': { in: ['edge'], out: ['auth internal', 'postgres'] },
  'delivery-worker': { in: [], out: ['auth internal', 'internet', 'kafka', 'postgres'] },
  console: { in: ['edge'], out: [] },
  [`auth-migrate-${release}`]: { in: [], out: ['postgres'] },
  [`api-migrate-${release}`]: { in: [], out: ['postgres'] },
  [`catalog-migrate-${release}`]: { in: [], out: ['postgres'] },
  [`delivery-migrate-${release}`]: { in: [], out: ['postgres'] },
}
const asking = Object.keys(table).filter((name) => table[name]?.out.includes('auth internal'))

const matches = (selector: Manifest, labels: Manifest): boolean =>
  Object.entries(selector.matchLabels ?? {}).every(([name, value]) => labels[name] === value) &&
  (selector.matchExpressions ?? []).length === 0

const labelsOf = (workload: Manifest): Manifest => workload.spec.template.metadata.labels

/** What a rule's ports and peers are called in the table; a peer that is not known is told as it stands. */
function wordOf(peer: Manifest, ports: Manifest[]): string {
  const to = ports.map(({ port }) => port).join()
  const pods = peer.podSelector?.matchLabels ?? {}
  const spaces = peer.namespaceSelector?.matchLabels ?? {}
  if (to === '53,53' && pods['k8s-app'] === 'kube-dns') return 'dns'
  if (to === '4318') return 'collector'
  if (to === '5432' && (pods['cnpg.io/cluster'] ?? pods['cnpg.io/poolerName'])) return 'postgres'
  if (to === '9093' && pods['strimzi.io/cluster']) return 'kafka'
  if (to === '443,8443' && ['0.0.0.0/0', '2000::/3'].includes(peer.ipBlock?.cidr)) return 'internet'
  if (to === '8091' && pods['app.kubernetes.io/name'] === 'auth' && pods['app.kubernetes.io/component'] === 'http')
    return 'auth internal'
  if (to === 'internal') return 'auth internal'
  if (to === 'http' && spaces['workspace-data/gateway'] === 'yes') return 'edge'
  if (to === 'management' && spaces['workspace-data/monitoring'] === 'yes') return 'management'
  return JSON.stringify({ peer, ports })
}

function allowed(objects: Manifest[], workload: Manifest, way: 'ingress' | 'egress'): string[] {
  const policies = ofKind(objects, 'NetworkPolicy').filter(({ spec }) => matches(spec.podSelector, labelsOf(workload)))
  const words = policies.flatMap(({ spec }) =>
    (spec[way] ?? []).flatMap((rule: Manifest) =>
      (rule[way === 'ingress' ? 'from' : 'to'] ?? [{}]).map((peer: Manifest) => wordOf(peer, rule.ports ?? [])),
    ),
  )
  return [...new Set<string>(words)].sort()
}

const rendered = new Map<string, Manifest[]>()
beforeAll(async () => {
  for (const overlay of overlays) rendered.set(overlay, (await build(join(root, 'overlays', overlay))).objects)
})

/** Nothing comes in or goes out that no policy allows. */
function denialFaults(objects: Manifest[]): string[] {
  const [denial] = ofKind(objects, 'NetworkPolicy').filter(
    ({ spec }) => spec.policyTypes.length === 2 && !spec.ingress && !spec.egress,
  )
  return JSON.stringify(denial?.spec.podSelector) === '{}' ? [] : ['nothing denies by default']
}

/** Each pod talks to whom the table names, and is talked to by nobody else. */
function tableFaults(objects: Manifest[]): string[] {
  const usual = (words: string[]) => words.filter((word) => !['dns', 'collector', 'management'].includes(word)).join()
  const found = ours(objects).flatMap((workload) => {
    const name = workload.metadata.name as string
    const { in: from = [], out = [] } = table[name] ?? {}
    const [into, outOf] = [usual(allowed(objects, workload, 'ingress')), usual(allowed(objects, workload, 'egress'))]
    return [
      into === from.toSorted().join() ? '' : `${name} is reached by ${into}`,
      outOf === out.join() ? '' : `${name} reaches ${outOf}`,
      table[name] === undefined ? `${name} is not in the table` : '',
    ]
  })
  const there = ours(objects).map(({ metadata }) => metadata.name as string)
  const missing = Object.keys(table).filter((name) => !there.includes(name))
  return [...found, ...missing.map((name) => `${name} is not there`)].filter((fault) => fault !== '')
}

/** The internal listener of auth is open to those alone that ask it. */
function internalFaults(objects: Manifest[]): string[] {
  const [policy] = ofKind(objects, 'NetworkPolicy').filter(({ metadata }) => metadata.name === 'auth-internal')
  const { podSelector } = (policy as Manifest).spec.ingress[0].from[0]
  const open = ours(objects)
    .filter((workload) => matches(podSelector, labelsOf(workload)))
    .map(({ metadata }) => metadata.name as string)
  return open.sort().join() === asking.toSorted().join() ? [] : [`open to ${open}`]
}

const k50 = { denialFaults, tableFaults, internalFaults }

describe.each(overlays)('K50: %s', (overlay) => {
  test.each(Object.entries(k50))('%s', (_name, faults) => {
    expect(faults(rendered.get(overlay) ?? [])).toEqual([])
  })
})

const needs = 'spec.template.metadata.labels'
test.each([
  ['denialFaults', 'a default that lets out', 'NetworkPolicy/default-deny', 'spec.policyTypes', ['Ingress']],
  [
    'denialFaults',
    'a default of some pods',
    'NetworkPolicy/default-deny',
    'spec.podSelector',
    { matchLabels: { a: 'b' } },
  ],
  ['tableFaults', 'a way out too much', 'Deployment/console', `${needs}.needs~workspace-data/internet`, 'yes'],
  ['tableFaults', 'a way to the database that is missing', 'Deployment/catalog', needs, {}],
  [
    'tableFaults',
    'a policy of more ports',
    'NetworkPolicy/internet',
    'spec.egress.0.ports',
    [{ protocol: 'TCP', port: 22 }],
  ],
  ['tableFaults', 'a service that is not in the table', 'Deployment/catalog', 'metadata.name', 'reports'],
  [
    'internalFaults',
    'everybody at the internal listener',
    'NetworkPolicy/auth-internal',
    'spec.ingress.0.from.0.podSelector',
    {},
  ],
] as const)('K92: K50 %s finds %s', (rule, _what, name, path, value) => {
  const objects = structuredClone(rendered.get('production') ?? [])
  plant(objects, name, path, value)
  expect(k50[rule](objects)).not.toEqual([])
})

describe('K51: the internet of the policy', () => {
  const blocksOf = (cidr: string, objects: Manifest[]): string[] =>
    ofKind(objects, 'NetworkPolicy')
      .filter(({ metadata }) => metadata.name === 'internet')
      .flatMap(({ spec }) => spec.egress[0].to)
      .find(({ ipBlock }: Manifest) => ipBlock.cidr === cidr).ipBlock.except
  const family = (block: string) => (isIPv6(block.split('/')[0] as string) ? 'ipv6' : 'ipv4')
  const listOf = (blocks: readonly string[]): BlockList => {
    const list = new BlockList()
    for (const block of blocks) {
      const [address = '', bits] = block.split('/')
      list.addSubnet(address, Number(bits), family(block))
    }
    return list
  }
  /** First address of a block: the blocks of the policy are as wide or wider, which the second test says. */
  const covers = (list: BlockList, block: string) => list.check(block.split('/')[0] as string, family(block))
  const refused = [
    ...ipv4SpecialPurposeBlocks,
    ipv4MulticastBlock,
    ...ipv6SpecialPurposeBlocks,
    ...cloudHostServiceBlocks,
  ].map(({ block }) => block)
  const global = listOf([ipv6GlobalUnicastBlock.block])
  const relevant = refused.filter((block) => family(block) === 'ipv4' || covers(global, block))

  const exceptedBy = (objects: Manifest[]) => [
    ...blocksOf('0.0.0.0/0', objects),
    ...blocksOf(ipv6GlobalUnicastBlock.block, objects),
  ]
  const openTo = (objects: Manifest[]) => {
    const list = listOf(exceptedBy(objects))
    return relevant.filter((block) => !covers(list, block))
  }
  const closedBeside = (objects: Manifest[]) => exceptedBy(objects).filter((block) => !refused.includes(block))

  test.each(overlays)('%s leaves out every block that packages/outbound refuses, and nothing else', (overlay) => {
    const objects = rendered.get(overlay) ?? []
    expect(relevant.length).toBeGreaterThan(40)
    expect(openTo(objects)).toEqual([])
    expect(closedBeside(objects)).toEqual([])
  })

  test('K92: K51 finds a block that is let through, and one that is left out for no reason', () => {
    const objects = structuredClone(rendered.get('production') ?? [])
    const blocks = blocksOf('0.0.0.0/0', objects)
    const [first] = blocks.splice(0, 1, '8.8.8.0/24')
    expect(openTo(objects)).toContain(first)
    expect(closedBeside(objects)).toEqual(['8.8.8.0/24'])
  })
})
