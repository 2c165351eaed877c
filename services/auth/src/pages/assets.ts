// The files that the pages refer to. Each is named by its digest: browsers keep it for a year, and a changed one is another file.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Mount } from '@wds/http-service/mount'
import { send } from '@wds/http-service/respond'

const stylesheet = asset('pages.css', 'text/css; charset=utf-8')
const icon = asset('icon.svg', 'image/svg+xml')

/** Paths on this origin, under a prefix that leads to auth everywhere: `/assets` is the console's. */
export const stylesheetPath = stylesheet.path
export const iconPath = icon.path

/** Without a quota: a page whose style does not come is no page to decide on. */
export const assetMounts: Mount[] = [stylesheet, icon].map(({ path, type, body }) => ({
  path,
  methods: ['GET', 'HEAD'],
  quota: 'own',
  handle: async (_request, response, exchange) => {
    response.setHeader('Content-Type', type)
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
    send(exchange, 200, body)
  },
}))

function asset(file: string, type: string): { path: string; type: string; body: Buffer } {
  const body = readFileSync(new URL(file, import.meta.url))
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 16)
  return { path: `/sign-in/assets/${digest}-${file}`, type, body }
}
