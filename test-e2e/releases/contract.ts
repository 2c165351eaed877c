/** What of a later contract breaks clients of an earlier one (C82 of api-conventions.md). The judge is oasdiff. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { goTool } from '../harness/go-tool.ts'

/** Pinned: a newer one may find more. */
const oasdiffModule = 'github.com/oasdiff/oasdiff@v1.32.1'

type Json = Record<string, unknown>
export interface OpenApi extends Json {
  paths: Json
  webhooks: Record<string, { post: { requestBody: { content: Json } } }>
}

/**
 * Where our promise is another one than oasdiff's (api-conventions.md 10): enums of answers are open, and whoever reads a member of an
 * answer may go on reading it.
 */
const levels = {
  'response-property-enum-value-added': 'info',
  'response-optional-property-removed': 'err',
}

interface Finding {
  id: string
  text: string
  operation: string
  path: string
}

/** One line for each change that breaks a client, without repetition. */
export function breakingChanges(before: OpenApi, now: OpenApi): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'wds-contract-'))
  try {
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const severities = Object.entries(levels).map((line) => line.join(' '))
    const then = write('before.json', JSON.stringify(asSent(before)))
    const later = write('now.json', JSON.stringify(asSent(now)))
    const levelsFile = write('levels', severities.join('\n'))
    const words = ['breaking', then, later, '--format', 'json', '--severity-levels', levelsFile]
    const { stdout, stderr, status, error } = spawnSync(goTool('oasdiff', oasdiffModule), words, {
      encoding: 'utf8',
      maxBuffer: 64 * 1_048_576,
    })
    if (error !== undefined || status !== 0) throw new Error(`oasdiff did not run: ${stderr}`, { cause: error })
    const findings = stdout.trim() === '' ? [] : (JSON.parse(stdout) as Finding[])
    return [...new Set(findings.map(({ operation, path, text }) => `${operation} ${path}: ${text}`))]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Of an entry of the catalog, what subscribers rely on beside its schema, which is in the document. */
export interface CatalogEntry {
  type: string
  since: string
  stability: string
  read_scope: string[]
}

export function catalogChanges(before: CatalogEntry[], now: CatalogEntry[]): string[] {
  return before.flatMap(({ type, stability, read_scope: scopes }) => {
    const entry = now.find((one) => one.type === type)
    if (entry === undefined) return [`${type}: the type is gone`]
    const more = entry.read_scope.filter((scope) => !scopes.includes(scope))
    return [
      ...(entry.stability === 'beta' && stability !== 'beta' ? [`${type}: was ${stability}, is beta`] : []),
      ...(more.length > 0 ? [`${type}: needs ${more.join(', ')} to be read`] : []),
    ]
  })
}

/** Types whose `since` is another one than a release told, or, where it had none of them, not of a day after it. */
export function wrongDates(now: CatalogEntry[], last: { entries: CatalogEntry[]; date: string }): string[] {
  const told = new Map(last.entries.map(({ type, since }) => [type, since]))
  return now
    .filter(({ type, since }) => (told.has(type) ? since !== told.get(type) : since <= last.date))
    .map(({ type, since }) => `${type}: since ${since}`)
}

/** The same document with each event as what a GET answers: we send events as we send answers, which oasdiff knows of these alone. */
function asSent({ webhooks, paths, ...rest }: OpenApi): Json {
  const events = Object.entries(webhooks).map(([type, { post }]) => [
    `/events/${type}`,
    { get: { responses: { '200': { description: type, content: post.requestBody.content } } } },
  ])
  return { ...rest, paths: { ...paths, ...Object.fromEntries(events) } }
}
