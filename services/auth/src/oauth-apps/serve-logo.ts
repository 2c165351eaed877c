// Serves logos by their digest to everybody, without cookies (auth.md 4.2). The bytes are ours, written anew; a browser is told to take
// them for nothing but a picture all the same.
import type { Mount } from '@wds/http-service/mount'
import { Problem } from '@wds/http-service/problem'
import { send } from '@wds/http-service/respond'
import type { Pool } from '@wds/postgres/pool'
import { readLogo } from './store-logo.ts'

const headers = {
  'Content-Type': 'image/png',
  'Content-Disposition': 'inline; filename="logo.png"',
  'Content-Security-Policy': "default-src 'none'",
  // A digest never names another picture.
  'Cache-Control': 'public, max-age=31536000, immutable',
}
const name = /^([0-9a-f]{64})\.png$/

/** `GET /logos/{digest}.png` */
export function logoMounts(pool: Pool): Mount[] {
  return [
    {
      path: '/logos/{name}',
      methods: ['GET', 'HEAD'],
      handle: async (_request, response, exchange) => {
        const digest = name.exec(exchange.params.name ?? '')?.[1]
        const png = digest === undefined ? null : await readLogo(pool, Buffer.from(digest, 'hex'))
        if (png === null) throw new Problem('not_found')
        for (const [header, value] of Object.entries(headers)) response.setHeader(header, value)
        send(exchange, 200, png)
      },
    },
  ]
}
