/** CPU by stage, from the profile that Node writes at the end of a process (`--cpu-prof`). */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface ProfileNode {
  id: number
  callFrame: { functionName: string; url: string }
  children?: number[]
}

interface CpuProfile {
  nodes: ProfileNode[]
  samples: number[]
  timeDeltas: number[]
}

/** First match from the leaf upwards names the stage; the order of the list breaks ties on one frame. */
const stages: [stage: string, url: RegExp, functionName?: RegExp][] = [
  ['ingest', /delivery\/src\/fan-out\/(consumer|inline|store-ingest)/],
  ['fan out', /delivery\/src\/fan-out/],
  ['settle', /delivery\/src\/.*(settle|sending\/store)/, /settle/i],
  ['claim', /delivery\/src\/sending\/store/],
  ['sign', /webhook-signature|envelope-encryption/],
  ['address rule and client', /packages\/outbound/],
  ['http', /undici|node:(_http|net|dns|internal\/(stream|net))|node:internal\/streams/],
  ['build request', /attempt-request/],
  ['telemetry', /opentelemetry|packages\/telemetry/],
  ['log and relay', /packages\/event-(log|store)|kafkajs/],
  ['postgres client', /node_modules\/pg|pg-protocol|pg-pool|packages\/postgres/],
  ['sender', /delivery\/src\/sending/],
]

function stageOf(node: ProfileNode, parents: Map<number, ProfileNode>): string {
  const name = node.callFrame.functionName
  if (name === '(idle)') return 'idle'
  if (name === '(garbage collector)') return 'garbage collection'
  if (name === '(program)') return 'native'
  let current: ProfileNode | undefined = node
  while (current !== undefined) {
    const { url, functionName } = current.callFrame
    for (const [stage, pattern, ofName] of stages) {
      if (pattern.test(url) && (ofName === undefined || ofName.test(functionName))) return stage
    }
    current = parents.get(current.id)
  }
  return 'other'
}

/** Milliseconds of CPU by stage, greatest first, without idle time, of all profiles in the folder. */
export function cpuByStage(folder: string): [stage: string, ms: number][] {
  const sums = new Map<string, number>()
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))) {
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile
    const parents = new Map<number, ProfileNode>()
    for (const node of profile.nodes) for (const child of node.children ?? []) parents.set(child, node)
    const stageById = new Map(profile.nodes.map((node) => [node.id, stageOf(node, parents)]))
    profile.samples.forEach((id, nth) => {
      const stage = stageById.get(id) ?? 'other'
      sums.set(stage, (sums.get(stage) ?? 0) + (profile.timeDeltas[nth] ?? 0) / 1_000)
    })
  }
  sums.delete('idle')
  return [...sums].sort(([, a], [, b]) => b - a)
}
