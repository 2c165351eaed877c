// A page on which a reader sends a call with a key of their own (docs.md 3). It calls the origin that it came from and no other, without cookies,
// and keeps nothing: neither key nor answer.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { postmanCollection } from '../generate/postman.ts'

/** A call as the page offers it. */
interface Offered {
  group: string
  name: string
  method: string
  /** With `:name` for each of its variables. */
  path: string
  scope: string
  variables: string[]
  query: { name: string; isNeeded: boolean }[]
  headers: string[]
  /** Null: it has none. */
  body: { type: string; text: string } | null
}

interface PostmanRequest {
  name: string
  request: {
    method: string
    description: string
    header: { key: string; value: string }[]
    url: { raw: string; query: { key: string; disabled: boolean }[]; variable: { key: string }[] }
    body?: { raw: string; options?: object }
  }
}

/** Files are left to a program. */
const isOfText = ({ request: { body } }: PostmanRequest) => body === undefined || body.options !== undefined

/** The calls that a token opens, those that send a file left out. */
export function offeredCalls(document: object): Offered[] {
  const { item } = JSON.parse(postmanCollection(document)) as { item: { name: string; item: PostmanRequest[] }[] }
  return item.flatMap(({ name: group, item: requests }) =>
    requests.filter(isOfText).map(({ name, request }) => {
      const { method, description, header, url, body } = request
      const type = header.find(({ key }) => key === 'Content-Type')?.value ?? ''
      return {
        group,
        name,
        method,
        path: url.raw.replace('{{base_url}}', ''),
        scope: description.replace('Scope: ', ''),
        variables: url.variable.map(({ key }) => key),
        query: url.query.map(({ key, disabled }) => ({ name: key, isNeeded: !disabled })),
        headers: header.map(({ key }) => key).filter((key) => key !== 'Content-Type'),
        body: body === undefined ? null : { type, text: body.raw },
      }
    }),
  )
}

/** Contents by path on the server. */
export function tryPage(repository: string, { base, version }: { base: string; version: string }): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const keep = (content: Buffer, ending: string): string => {
    const path = `${base}_astro/${createHash('sha256').update(content).digest('hex').slice(0, 12)}.${ending}`
    files.set(path, content)
    return path
  }
  const theme = (name: string) => readFileSync(join(import.meta.dirname, 'theme', name))
  const document = JSON.parse(readFileSync(join(repository, 'services/api/openapi.generated.json'), 'utf8')) as object
  const places: Record<string, string> = {
    base,
    version,
    styles: keep(theme('try.css'), 'css'),
    script: keep(theme('try.js'), 'js'),
    calls: keep(Buffer.from(JSON.stringify(offeredCalls(document))), 'json'),
  }
  const html = theme('try.html')
    .toString('utf8')
    .replaceAll(/\{(\w+)\}/g, (whole, name: string) => places[name] ?? whole)
  return files.set(`${base}try/index.html`, Buffer.from(html))
}
