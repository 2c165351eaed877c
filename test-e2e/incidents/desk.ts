/** What somebody on call has at hand: the commands of the runbook, on this stack. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type ServiceName, serviceNames } from '@wds/provision/provision'
import pg from 'pg'
import { type Deployment, deploymentNames, deployments } from './deployments.ts'
import { deskUsage } from './desk-usage.ts'
import type { IncidentRig } from './rig.ts'

/** @throws Error that says what was wrong with the command. */
export type Desk = (words: string[]) => Promise<string>

const isDeployment = (name: string | undefined): name is Deployment => deploymentNames.some((one) => one === name)
const isService = (name: string | undefined): name is ServiceName => serviceNames.some((one) => one === name)

export function openDesk(rig: IncidentRig): Desk {
  const { fleet, stack } = rig
  const deploymentOf = (words: string[]): Deployment => {
    const labels = optionOf(words, '-l') ?? ''
    const [service, role] = ['name', 'component'].map((label) => new RegExp(`/${label}=([a-z]+)`).exec(labels)?.[1])
    const names = [`${service}-${role}`, service, ...words.map((word) => word.replace(/^deploy(?:ment)?\//, ''))]
    const name = names.find(isDeployment)
    if (name === undefined) throw new Error(`no Deployment is named; there are ${deploymentNames.join(', ')}`)
    return name
  }
  const optionOf = (words: string[], option: string): string | undefined => {
    const at = words.findIndex((word) => word === option || word.startsWith(`${option}=`))
    return at < 0 ? undefined : (words[at]?.split('=')[1] ?? words[at + 1])
  }

  function pods(): string {
    const lines = deploymentNames.map((name) => {
      const running = fleet.process(name)
      const status = running ? 'Running' : fleet.restarts(name) > 0 ? 'CrashLoopBackOff' : 'none'
      return [name, fleet.isReady(name) ? '1/1' : '0/1', status, fleet.restarts(name), running?.pid ?? '-'].join('\t')
    })
    return ['NAME\tREADY\tSTATUS\tRESTARTS\tPID', ...lines].join('\n')
  }

  async function logs(name: Deployment, tail: number): Promise<string> {
    const { stdout } = await promisify(execFile)(
      'tail',
      ['-n', tail < 0 ? '+1' : String(tail), `${stack.folder}/${name}.log`],
      {
        maxBuffer: 64 * 1_048_576,
      },
    )
    return stdout
  }

  async function kubectl(words: string[]): Promise<string> {
    if (words.includes('get') && words.some((word) => /^(?:pods?|deploy(?:ments?)?)$/.test(word))) return pods()
    if (words.includes('logs')) return logs(deploymentOf(words), Number(optionOf(words, '--tail') ?? 200))
    if (words.includes('exec')) {
      const program = words.indexOf('dist/main.js')
      if (program < 0) throw new Error('exec runs `dist/main.js` alone here')
      const { code, output } = await stack.run(deployments[deploymentOf(words)].service, words.slice(program + 1))
      return code === 0 ? output : Promise.reject(new Error(`exit code ${code}: ${output}`))
    }
    if (words.includes('restart')) return fleet.rollOut(deploymentOf(words)).then(() => 'restarted')
    if (words.includes('scale')) {
      const replicas = optionOf(words, '--replicas') === '0' ? 0 : 1
      return fleet.scale(deploymentOf(words), replicas).then(() => `scaled to ${replicas}; there is room for one here`)
    }
    throw new Error('this stand-in of kubectl knows get pods, logs, exec, rollout restart and scale')
  }

  async function sql(service: ServiceName, statement: string): Promise<string> {
    const client = new pg.Client({ connectionString: stack.adminUrls[service], options: `-c search_path=${service}` })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return JSON.stringify((await client.query(statement)).rows, null, 1)
    } finally {
      await client.end()
    }
  }

  return async ([command, ...words]) => {
    const [first, second, third, fourth] = words
    if (command === 'kubectl') return kubectl(words)
    if (command === 'alerts') return (await rig.prometheus.told()).join('\n')
    if (command === 'query' && first !== undefined) {
      const series = await rig.prometheus.query(first)
      return series.map(({ metric, value }) => `${JSON.stringify(metric)} ${value[1]}`).join('\n')
    }
    if (command === 'sql' && isService(first) && second !== undefined) return sql(first, second)
    if (command === 'call' && second !== undefined && third !== undefined) {
      const workspace = rig.workspaces.find(({ name }) => name.toLowerCase() === first)
      if (workspace === undefined) throw new Error('the workspaces are meridian and bluewater')
      const json = fourth === undefined ? {} : { json: JSON.parse(fourth) }
      const answer = await workspace.client(third, { method: second as 'GET', ...json })
      return `${answer.status}\n${JSON.stringify(answer.body, null, 1)}`
    }
    throw new Error(`unknown; there are\n${deskUsage}`)
  }
}
