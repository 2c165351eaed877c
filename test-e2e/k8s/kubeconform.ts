// Runs kubeconform over rendered objects, with the schemas of k8s/schemas and no others.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { goTool } from '../harness/go-tool.ts'
import { type Manifest, root } from './render.ts'

/** Pinned: a newer one may find more. */
const kubeconformModule = 'github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0'
const location = join(root, 'schemas', '{{ .ResourceKind }}{{ .KindSuffix }}.json')

/** The file in k8s/schemas of an object's kind, named as kubeconform asks for it. */
export function schemaFileOf({ apiVersion, kind }: Manifest): string {
  const [version, group] = apiVersion.split('/').reverse()
  const suffix = group === undefined ? version : `${group.split('.')[0]}-${version}`
  return `${kind.toLowerCase()}-${suffix}.json`
}

/** What kubeconform finds in rendered YAML: a line per object that its schema refuses, or whose kind has none. */
export function schemaFindings(text: string): string[] {
  const { stdout, stderr, error } = spawnSync(
    goTool('kubeconform', kubeconformModule),
    ['-strict', '-summary', '-output', 'json', '-schema-location', location],
    { input: text, encoding: 'utf8', maxBuffer: 64 * 1_048_576 },
  )
  if (error !== undefined || stdout === '') throw new Error(`kubeconform did not run: ${stderr}`, { cause: error })
  const { resources, summary } = JSON.parse(stdout) as { resources: Manifest[]; summary: { valid: number } }
  const given = text.split(/^---$/m).filter((part) => part.trim() !== '').length
  if (resources.length + summary.valid !== given) throw new Error(`kubeconform saw not all of ${given} objects`)
  return resources.map(({ kind, name, msg }) => `${kind}/${name}: ${msg}`)
}
