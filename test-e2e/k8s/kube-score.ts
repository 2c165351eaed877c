// Runs kube-score over rendered YAML. An exemption stands beside the object: its annotation `kube-score/ignore`, and why.
import { spawnSync } from 'node:child_process'
import { goTool } from '../harness/go-tool.ts'
import type { Manifest } from './render.ts'

/** Pinned: a newer one may find more. */
const kubeScoreModule = 'github.com/zegl/kube-score/cmd/kube-score@v1.20.0'
/** A lower grade is a warning or a critical finding. */
const gradeOk = 10

/** A line per finding: the object and the check's id, by which `kube-score/ignore` names it. */
export function scoreFindings(text: string): string[] {
  const { stdout, stderr, error } = spawnSync(
    goTool('kube-score', kubeScoreModule),
    ['score', '-', '--kubernetes-version', 'v1.30', '--output-format', 'json'],
    { input: text, encoding: 'utf8', maxBuffer: 64 * 1_048_576 },
  )
  if (error !== undefined || stdout === '') throw new Error(`kube-score did not run: ${stderr}`, { cause: error })
  const scored = JSON.parse(stdout) as Manifest[]
  if (scored.length === 0) throw new Error('kube-score was given no object')
  return scored.flatMap(({ type_meta, object_meta, checks }) =>
    (checks as Manifest[])
      .filter(({ skipped, grade }) => !skipped && grade < gradeOk)
      .map(({ check }) => `${type_meta.kind}/${object_meta.name}: ${check.id}`),
  )
}
