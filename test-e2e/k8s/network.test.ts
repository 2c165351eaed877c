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
import { build, type Manifest, ofKind, ours, overlays, root } from './render.ts'

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
  'auth-migrate-0-1-0': { in: [], out: ['postgres'] },
  'api-migrate-0-1-0': { in: [], out: ['postgres'] },
  'catalog-migrate-0-1-0': { in: [], out: ['postgres'] },
  'delivery-migrate-0-1-0': { in: [], out: ['postgres'] },
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

describe.each(overlays)('K50: %s', (overlay) => {
  test('nothing comes in or goes out that no policy allows', () => {
    const objects = rendered.get(overlay) ?? []
    const [denial] = ofKind(objects, 'NetworkPolicy').filter(
      ({ spec }) => spec.policyTypes.length === 2 && !spec.ingress && !spec.egress,
    )
    expect(denial?.spec.podSelector).toEqual({})
  })

  test('each pod talks to whom the table names, and is talked to by nobody else', () => {
    const objects = rendered.get(overlay) ?? []
    const usual = (words: string[]) => words.filter((word) => !['dns', 'collector', 'management'].includes(word))
    const found = Object.fromEntries(
      ours(objects).map((workload) => [
        workload.metadata.name,
        { in: usual(allowed(objects, workload, 'ingress')), out: usual(allowed(objects, workload, 'egress')) },
      ]),
    )
    const wanted = Object.entries(table).map(([name, { in: from, out }]) => [name, { in: from.toSorted(), out }])
    expect(found).toEqual(Object.fromEntries(wanted))
  })

  test('the internal listener of auth is open to those alone that ask it', () => {
    const objects = rendered.get(overlay) ?? []
    const [policy] = ofKind(objects, 'NetworkPolicy').filter(({ metadata }) => metadata.name === 'auth-internal')
    const { podSelector } = (policy as Manifest).spec.ingress[0].from[0]
    const open = ours(objects).filter((workload) => matches(podSelector, labelsOf(workload)))
    expect(open.map(({ metadata }) => metadata.name).sort()).toEqual(asking.sort())
  })
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

  test.each(overlays)('%s leaves out every block that packages/outbound refuses', (overlay) => {
    const objects = rendered.get(overlay) ?? []
    const list = listOf([...blocksOf('0.0.0.0/0', objects), ...blocksOf(ipv6GlobalUnicastBlock.block, objects)])
    expect(relevant.length).toBeGreaterThan(40)
    for (const block of relevant) expect([block, covers(list, block)]).toEqual([block, true])
  })

  test.each(overlays)('%s leaves out nothing else', (overlay) => {
    const objects = rendered.get(overlay) ?? []
    const excepted = [...blocksOf('0.0.0.0/0', objects), ...blocksOf(ipv6GlobalUnicastBlock.block, objects)]
    expect(excepted.filter((block) => !refused.includes(block))).toEqual([])
  })
})
