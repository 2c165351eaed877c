// Takes scripts and styles out of the built pages, so that their Content-Security-Policy allows neither in a page. Pure.
import { createHash } from 'node:crypto'

export interface Finished {
  html: string
  /** Contents by path on the server, of files that the page now asks for. */
  files: ReadonlyMap<string, string>
}

const element = /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/g
const styled = /<([a-z][\w-]*)((?:\s+[^\s=>"'/]+(?:=(?:"[^"]*"|'[^']*'))?)*)(\s*\/?)>/gi
const attribute = /\sstyle="([^"]*)"/
/** The corner of a table with heads on two sides is no head. */
const emptyHead = /<th([^>]*)><\/th>/g
/** What is wide scrolls by itself, by the keyboard too. */
const tableStart = '<div class="table" role="group" aria-label="Table" tabindex="0"><table>'

/** `folder`: path on the server of the files that are made, with a slash at its end. */
export function finishHtml(html: string, folder: string): Finished {
  const files = new Map<string, string>()
  const keep = (content: string, ending: string): string => {
    const path = `${folder}${digest(content)}.${ending}`
    files.set(path, content)
    return path
  }
  const rules = new Map<string, string>()
  const withoutElements = html.replace(element, (whole, kind: string, attributes: string, content: string) => {
    if (kind === 'style') return `<link rel="stylesheet" href="${keep(content, 'css')}">`
    if (/\ssrc=|type="application\//.test(attributes) || content.trim() === '') return whole
    return `<script${attributes} src="${keep(content, 'js')}"></script>`
  })
  const withoutAttributes = withoutElements.replace(styled, (whole, _name: string, attributes: string) => {
    const declared = attribute.exec(attributes)?.[1]
    if (declared === undefined) return whole
    const bare = whole.replace(attribute, '')
    const name = `i-${digest(declared)}`
    rules.set(name, unescapeHtml(declared))
    return withClass(bare, name)
  })
  const scrolling = withoutAttributes
    .replaceAll('<table>', tableStart)
    .replaceAll('</table>', '</table></div>')
    .replace(emptyHead, '<td$1></td>')
    .replaceAll('<pre data-language', '<pre tabindex="0" role="group" aria-label="Code" data-language')
  return { html: scrolling.replace('</head>', `${linkOf(rules, keep)}</head>`), files }
}

function linkOf(rules: ReadonlyMap<string, string>, keep: (content: string, ending: string) => string): string {
  if (rules.size === 0) return ''
  const sheet = [...rules].sort().map(([name, declared]) => `.${name}{${declared}}`)
  return `<link rel="stylesheet" href="${keep(sheet.join('\n'), 'css')}">`
}

function withClass(tag: string, name: string): string {
  if (/\sclass="/.test(tag)) return tag.replace(/(\sclass=")/, `$1${name} `)
  return tag.replace(/^<[a-z][\w-]*/i, (start) => `${start} class="${name}"`)
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)

const unescapeHtml = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
