// The files that the pages refer to. Each is named by its digest: browsers keep it for a year, and a changed one is another file.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Mount } from '@wds/http-service/mount'
import { send } from '@wds/http-service/respond'

const stylesheet = asset('pages.css', 'text/css; charset=utf-8')
const icon = asset('icon.svg', 'image/svg+xml')

export interface Assets {
  /** Paths on this origin. */
  stylesheetPath: string
  iconPath: string
  mounts: Mount[]
}

/** Under a path of the service that leads to it everywhere, such as `/sign-in/assets`. */
export function assetsUnder(prefix: string): Assets {
  const pathOf = ({ name }: Asset) => `${prefix}/${name}`
  const mounts = [stylesheet, icon].map((one) => mountOf(pathOf(one), one))
  return { stylesheetPath: pathOf(stylesheet), iconPath: pathOf(icon), mounts }
}

interface Asset {
  name: string
  type: string
  body: Buffer
}

/** Without a quota: a page whose style does not come is no page to decide on. */
function mountOf(path: string, { type, body }: Asset): Mount {
  return {
    path,
    methods: ['GET', 'HEAD'],
    quota: 'own',
    handle: async (_request, response, exchange) => {
      response.setHeader('Content-Type', type)
      response.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
      send(exchange, 200, body)
    },
  }
}

function asset(file: string, type: string): Asset {
  const body = readFileSync(new URL(file, import.meta.url))
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 16)
  return { name: `${digest}-${file}`, type, body }
}
