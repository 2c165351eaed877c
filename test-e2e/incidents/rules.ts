/** The project's alert rules as compose's Prometheus reads them, with their waiting times cut short: everything else of a rule stays. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { root } from '../harness/standalone.ts'

export interface Rule {
  alert: string
  expr: string
  for: string
  labels: { severity: string }
  annotations: { summary: string; description: string; runbook_url: string }
}

const unitSeconds: Record<string, number> = { s: 1, m: 60, h: 3_600 }
const secondsOf = (text: string) => Number.parseInt(text, 10) * (unitSeconds[text.at(-1) as string] as number)

export function readRules(): Rule[] {
  const file = join(root, 'deploy/compose/monitoring/alerts.generated.yaml')
  return (load(readFileSync(file, 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules)
}

/** Name of the page of the runbook that an alert leads to. */
export const pageOf = (rule: Rule): string => `${rule.annotations.runbook_url.split('/').at(-1)}.md`

/**
 * `for` and windows last a twentieth and 15 s at least, so that a window holds several scrapes; ages that a threshold names a
 * twentieth and 30 s at least; bytes, and what is counted in a window, a twentieth, the latter 3 at least. An incident of half an hour is one of two minutes so.
 */
export function hasten(rule: Rule, times = 20): Rule {
  const shorter = (text: string, least: number) => `${Math.max(least, Math.round(secondsOf(text) / times))}s`
  return {
    ...rule,
    for: secondsOf(rule.for) === 0 ? '0s' : shorter(rule.for, 15),
    expr: rule.expr
      .replaceAll(/\[(\d+[smh])\]/g, (_, window: string) => `[${shorter(window, 15)}]`)
      .replaceAll(/(increase\([^[]*\[[^)]*\)\) > )(\d{2,})/g, (_, before: string, count: string) => {
        return `${before}${Math.max(3, Math.round(Number(count) / times))}`
      })
      .replaceAll(
        /(_bytes\) > )(\d+)/g,
        (_, before: string, bytes: string) => `${before}${Math.round(Number(bytes) / times)}`,
      )
      .replaceAll(/(_age_seconds(?:\{[^}]*\})?\) > )(\d+)/g, (_, before: string, seconds: string) => {
        return `${before}${Math.max(30, Math.round(Number(seconds) / times))}`
      }),
  }
}
