// The alerts of k8s/ as Prometheus itself reads them: the groups of the PrometheusRule, without the object around them.
import { readFileSync } from 'node:fs'

const source = 'k8s/components/monitoring/alerts.yaml'

/** `root`: the repository's folder. Throws when the groups are not what stands in the object's spec, at its end. */
export function alertRules(root: URL): string {
  const text = readFileSync(new URL(source, root), 'utf8')
  const [, spec, ...others] = text.split('\nspec:\n')
  if (spec === undefined || others.length > 0 || !spec.startsWith('  groups:\n'))
    throw new Error(`${source} has changed`)
  const groups = spec.replaceAll(/^ {2}/gm, '')
  if (/^(?!groups:$)\S/m.test(groups)) throw new Error(`${source} holds more than groups`)
  return `# Made by \`npm run generate\` from ${source}; not edited.\n${groups}`
}
