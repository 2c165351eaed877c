// Renders what `k8s/` gives to a cluster. The checks look at that alone: kustomize passes over a patch whose target matches nothing.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { loadAll } from 'js-yaml'
import { goTool } from '../harness/go-tool.ts'

/** An object of the API server; what a check needs of it is its own business. */
// biome-ignore lint/suspicious/noExplicitAny: of a hundred kinds, each with its own fields
export type Manifest = Record<string, any>

export const root = join(import.meta.dirname, '../../k8s')
/** The version of the checkout as a name may hold it: `0-1-0`. */
export const release = (
  JSON.parse(readFileSync(join(root, '../package.json'), 'utf8')) as { version: string }
).version.replaceAll('.', '-')
export const overlays = readdirSync(join(root, 'overlays')).sort()
export const components = readdirSync(join(root, 'components')).sort()

const run = promisify(execFile)
/** Older ones bundle a kustomize without components. */
const kubectlMin = [1, 30] as const
const kustomizeModule = 'sigs.k8s.io/kustomize/kustomize/v5@v5.7.1'

let builder: string[] | undefined

/** `kubectl kustomize` where it is new enough, else kustomize as a Go module. Without either the checks fail: a skipped gate is none. */
function builderOf(): string[] {
  builder ??= isRecentKubectl() ? ['kubectl', 'kustomize'] : [goTool('kustomize', kustomizeModule), 'build']
  return builder
}

function isRecentKubectl(): boolean {
  try {
    const { clientVersion } = JSON.parse(
      execFileSync('kubectl', ['version', '--client', '-o', 'json'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ) as { clientVersion: { major: string; minor: string } }
    const [major, minor] = [Number(clientVersion.major), Number.parseInt(clientVersion.minor, 10)]
    return major > kubectlMin[0] || (major === kubectlMin[0] && minor >= kubectlMin[1])
  } catch {
    return false
  }
}

/** What a folder with a kustomization gives, and what was said on the way. */
export async function build(folder: string): Promise<{ text: string; objects: Manifest[]; said: string }> {
  const [program = '', ...words] = builderOf()
  const { stdout, stderr } = await run(program, [...words, folder], { maxBuffer: 64 * 1_048_576 })
  return { text: stdout, objects: loadAll(stdout) as Manifest[], said: stderr }
}

/** The base with one component, which no overlay may depend on another one for. */
export async function buildWith(component: string): ReturnType<typeof build> {
  const folder = mkdtempSync(join(tmpdir(), 'wds-k8s-'))
  try {
    const path = (to: string) => join('../'.repeat(folder.split('/').length - 1), root.slice(1), to)
    writeFileSync(
      join(folder, 'kustomization.yaml'),
      `kind: Kustomization\nresources: ['${path('base')}']\ncomponents: ['${path(`components/${component}`)}']\n`,
    )
    return await build(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Objects for a program that reads YAML, of which JSON is a part. */
export const yamlOf = (objects: readonly Manifest[]): string =>
  objects.map((object) => `---\n${JSON.stringify(object)}\n`).join('')
/** Objects of a kind. */
export const ofKind = (objects: readonly Manifest[], ...kinds: string[]): Manifest[] =>
  objects.filter(({ kind }) => kinds.includes(kind))
/** How a finding names its object. */
export const nameOf = ({ kind, metadata }: Manifest): string => `${kind}/${metadata.name}`
/** The pod that an object makes, undefined for one that makes none. */
export const podOf = ({ spec }: Manifest): Manifest | undefined => spec?.template?.spec
/** Of everything that makes pods of our own images, and the collector. */
export const workloads = (objects: readonly Manifest[]) => ofKind(objects, 'Deployment', 'Job')
/** Of the services: without the collector, which is somebody else's program. */
export const ours = (objects: readonly Manifest[]) =>
  workloads(objects).filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] !== 'collector')
