// What holds for every container of deploy/compose, over what the loader gives. Each rule has a planted fault in compose.test.ts.
import { existsSync } from 'node:fs'
import { upstreams } from '../../deploy/standalone/src/router.ts'
import type { Project, Service } from './project.ts'

export const ours: readonly string[] = upstreams
/** Do what is missing and end. */
const once = /^(?:keys|provision|operator|migrate-\w+)$/
/** Their images have no program that could ask. */
const unasked = ['collector', 'tempo']
/** Their entry points begin as root and become another user. */
const beginAsRoot = ['postgres', 'kafka']
const open = ['edge', 'grafana']
const builtHere = [...ours, 'tools'].map((name) => `workspace-data-service/${name}`)
const pinned = /^[a-z0-9./-]+:v?\d+\.\d+[.\d]*(?:-[a-z0-9.]+)?$/

type Rule = (name: string, service: Service, project: Project) => string | false | undefined

const bytes = (text: string) => Number.parseInt(text, 10) * ({ m: 1, g: 1024 }[text.slice(-1)] as number)

const rules: Record<string, Rule> = {
  image: (_, { image }) => !builtHere.includes(image) && !pinned.test(image) && `${image} has no version`,
  memory: (_, { mem_limit }) => !/^\d+[mg]$/.test(mem_limit ?? '') && 'has no limit',
  heap: (_, { mem_limit, environment }) => {
    const heap = /--max-old-space-size=(\d+)/.exec(environment?.NODE_OPTIONS ?? '')?.[1]
    return heap !== undefined && Number(heap) > 0.75 * bytes(mem_limit ?? '0m') && 'is more than three quarters'
  },
  heapOfOurs: (name, { environment }) =>
    ours.includes(name) && !/--max-old-space-size=/.test(environment?.NODE_OPTIONS ?? '') && 'is not set',
  restart: (name, { restart }) => restart !== (once.test(name) ? 'no' : 'unless-stopped') && `is ${restart}`,
  health: (name, { healthcheck }) =>
    !once.test(name) && !unasked.includes(name) && healthcheck?.test?.[0] !== 'CMD' && 'nobody asks for it',
  ports: (name, { ports = [] }) => {
    if (ports.length > 0 && !open.includes(name)) return 'is open on the machine'
    return name === 'grafana' && ports[0]?.host_ip !== '127.0.0.1' && 'is open to others'
  },
  capabilities: (name, { cap_drop }) => !beginAsRoot.includes(name) && cap_drop?.[0] !== 'ALL' && 'are not dropped',
  privileges: (_, { privileged, security_opt = [] }) =>
    (privileged || !security_opt.includes('no-new-privileges:true')) && 'can be won',
  writing: (name, { read_only, user }) =>
    [...ours, 'provision', 'operator', 'edge'].includes(name) &&
    !(read_only === true && /^[1-9]\d*:\d+$/.test(user ?? '')) &&
    'is not refused, or this is root',
  logs: (_, { logging }) => !logging?.options?.['max-size'] && 'grow without end',
  mounts: (_, { volumes = [] }) => {
    const binds = (volumes as Service[]).filter(({ type }) => type === 'bind')
    const fault = binds.find(({ source, read_only }) => !existsSync(source) || read_only !== true)
    return fault && `${fault.source} is not there, or not read-only`
  },
  // Else Docker would fill an empty folder from the image, or refuse a container whose folder is not made yet.
  folders: (_, { volumes = [] }) =>
    (volumes as Service[]).some(({ volume }) => volume?.subpath && volume.nocopy !== true) &&
    'are filled from the image',
  secrets: (_, { environment = {} }) => {
    const name = Object.keys(environment).find((one) => /(?:password|secret|token|key)$/i.test(one))
    return name && `${name} stands in the environment`
  },
  waiting: (_, { depends_on = {} }, { services }) => {
    const name = Object.keys(depends_on).find((one) => services[one] === undefined)
    return name && `for ${name}, which is not there`
  },
  volume: (_, { volumes = [] }, project) => {
    const named = (volumes as Service[]).filter(({ type }) => type === 'volume')
    const name = named.find(({ source }) => !(source in project.volumes))?.source
    return name && `${name} is not declared`
  },
  // Who mounts keys or secrets begins once they are made.
  order: (name, { volumes = [], depends_on = {} }) => {
    const needs = (volumes as Service[]).some(({ source, volume }) => ['keys', 'secrets'].includes(source) && volume)
    const waits = Object.values(depends_on as Record<string, Service>).some(({ condition }) =>
      ['service_completed_successfully', 'service_healthy'].includes(condition),
    )
    return name !== 'keys' && needs && !waits && 'does not wait for what it mounts'
  },
}

/** A line per container and rule that it breaks. */
export function findings(project: Project): string[] {
  return Object.entries(project.services).flatMap(([name, service]) =>
    Object.entries(rules).flatMap(([rule, judge]) => {
      const fault = judge(name, service, project)
      return fault ? [`${name}: ${rule} ${fault}`] : []
    }),
  )
}
