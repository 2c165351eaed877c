// The reference of the API by Redoc (docs.md 3): one page with everything in it, cut into a document and its script.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const documents = [
  { address: 'api/', source: 'services/api/openapi.generated.json', title: 'API' },
  { address: 'event-log/', source: 'packages/event-log/asyncapi.generated.json', title: 'Event log' },
] as const

/** Pictures that Redoc would load from its maker. */
const foreign = /https:\/\/cdn\.redoc\.ly\/[\w/.-]+/g
const script = /<script( type="module")?>([\s\S]*?)<\/script>/g

/** What the page lacks: its place in the site, its version, contrast, and buttons that can be hit. */
const stylesheet = readFileSync(join(import.meta.dirname, 'theme/api.css'))

/** Contents by path on the server. `work`: a folder for files between. */
export function apiPages(repository: string, work: string, o: { base: string; version: string }): Map<string, Buffer> {
  const { base, version } = o
  const styles = `${base}_astro/${digest(stylesheet)}.css`
  const files = new Map<string, Buffer>([[styles, stylesheet]])
  for (const { address, source, title } of documents) {
    const made = join(work, `${address.replaceAll('/', '')}.html`)
    const redocly = join(repository, 'node_modules/@redocly/cli/bin/cli.js')
    const words = [redocly, 'build-docs', join(repository, source), '--inlineBundle', '--output', made]
    execFileSync(process.execPath, [...words, '--title', `${title} · Workspace Data Service`], {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const html = readFileSync(made, 'utf8').replaceAll(foreign, 'data:,')
    const head = `<link rel="icon" href="${base}icon.svg"><link rel="stylesheet" href="${styles}"></head>`
    const bar = `<header class="bar"><a href="${base}">Documentation</a>${address === 'api/' ? ` <a href="${base}try/">Try a call</a>` : ''} <span class="version">${version}</span></header>`
    const whole = html.replace('</head>', () => head).replace('<div id="redoc">', () => `${bar}<div id="redoc">`)
    const page = whole.replace(script, (_whole, kind = '', content: string) => {
      const path = `${base}_astro/${digest(content)}.js`
      files.set(path, Buffer.from(content))
      return `<script${kind} src="${path}"></script>`
    })
    files.set(`${base}${address}index.html`, Buffer.from(page))
  }
  return files
}

const digest = (content: string | Buffer) => createHash('sha256').update(content).digest('hex').slice(0, 12)
