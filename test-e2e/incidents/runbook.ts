/** The commands that a page of the runbook tells somebody on call, for the desk: those that need more than this machine are left out. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../harness/standalone.ts'
import { metricsIn, platformMetrics, referenceMetrics } from '../k8s/metrics-reference.ts'

export const runbookFolder = join(root, 'packages/docs/runbook')

/** All but the page that leads to the others. */
export const runbookPages: readonly string[] = readdirSync(runbookFolder).filter((page) => page !== 'README.md')

/** What the parts are for: docs.md 5. */
const parts = ['Symptom', 'Wake somebody?', 'Check', 'Act', 'Verify', 'Undo', 'Afterwards'] as const

export const readPage = (page: string): string => readFileSync(join(runbookFolder, page), 'utf8')

/** The text of one part of a page, empty where it has none. */
function partOf(text: string, part: (typeof parts)[number]): string {
  const from = text.indexOf(`**${part}`)
  if (from < 0) return ''
  const next = parts
    .map((one) => text.indexOf(`**${one}`, from + 1))
    .filter((at) => at > from)
    .sort((a, b) => a - b)[0]
  return text.slice(from, next)
}

/** Programs of a cluster that the desk has no stand-in for. */
const ofCluster =
  /^(?:cmctl|kafka-topics\.sh|kubectl (?:cordon|uncordon|cnpg|describe|get (?!pods|deploy)|-n kube-system|-n workspace-data (?:describe|get (?!pods|deploy))))/

/** One code span as words for the desk; null where it is no command, or one of a cluster. */
export function deskCommand(code: string): string[] | null {
  if (ofCluster.test(code)) return null
  if (code.startsWith('kubectl '))
    return /<(?!deployment>|service>)/.test(code.replace('logs <pod>', ''))
      ? null
      : wordsOf(code.replace(/<deployment>|(?<=logs )<pod>/, 'api-http').replace('<service>', 'api'))
  if (/^(?:select|show) /.test(code)) return code.includes('<') ? null : ['sql', code]
  const call = /^(GET) (\/v1\/\S+)$/.exec(code)
  if (call) return ['call', 'meridian', call[1] as string, call[2] as string]
  // Prometheus' own, the one without an underscore.
  if (/^(?:\w+ (?:by \([^)]*\) )?\()?up\b/.test(code)) return ['query', code]
  const names = metricsIn(code).filter((name) => referenceMetrics.has(name) || platformMetrics.test(name))
  return names.length > 0 ? ['query', code] : null
}

const wordsOf = (code: string) => (code.split(' | ')[0] as string).split(/\s+/).filter((word) => word !== '')

/** What Check and Verify of a page ask for. */
export function commandsOf(page: string): string[][] {
  const text = readPage(page)
  const code = [partOf(text, 'Check'), partOf(text, 'Verify')].join('\n')
  const commands = [...code.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => deskCommand(span))
  return commands.filter((command) => command !== null)
}
