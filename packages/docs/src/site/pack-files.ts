// Writes the files of the site as a server hands them out: each with its type, its entity tag and, where it is smaller, its packed form.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** A file of the site as `files.json` names it by its path on the server. */
export interface PackedFile {
  /** Name below `files/`; its packed form stands beside it with the ending `.gz`. */
  file: string
  type: string
  etag: string
  isPacked: boolean
  /** Its name holds a digest of its content. */
  isImmutable: boolean
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
}
/** Programs that a page hands out: to be read and copied, never run by a browser. */
const program = /\.(?:mjs|py|go|java|rb|php|rs|cs|sh)$/

/** Of the search: its index is packed already. */
const binary = /\.(?:pagefind|pf_meta|pf_index|pf_fragment|pf_filter)$/

export function packFiles(folder: string, files: ReadonlyMap<string, Buffer>): void {
  const listed: Record<string, PackedFile> = {}
  for (const [path, content] of files) {
    const type = typeOf(path)
    if (type === null) throw new Error(`${path} is of no kind that is served`)
    const file = path.slice(1)
    const digest = createHash('sha256').update(content).digest('hex').slice(0, 24)
    const packed = binary.test(path) ? content : gzipSync(content, { level: 9 })
    const isPacked = packed.length < content.length
    const at = join(folder, 'files', file)
    mkdirSync(dirname(at), { recursive: true })
    writeFileSync(at, content)
    if (isPacked) writeFileSync(`${at}.gz`, packed)
    const isImmutable = path.includes('/_astro/')
    listed[path.replace(/index\.html$/, '')] = { file, type, etag: `"${digest}"`, isPacked, isImmutable }
  }
  writeFileSync(join(folder, 'files.json'), JSON.stringify(listed))
}

function typeOf(path: string): string | null {
  if (program.test(path)) return 'text/plain; charset=utf-8'
  return types[extname(path)] ?? (binary.test(path) ? 'application/octet-stream' : null)
}
