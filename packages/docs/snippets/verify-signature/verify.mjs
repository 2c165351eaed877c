// Node.js 18 or later. `secret`: as shown, whsec_ included. `header`: X-Service-Signature. `body`: the raw bytes.
import { createHmac, timingSafeEqual } from 'node:crypto'

const form = /^t=(0|[1-9][0-9]{0,9})((?:,v1=[0-9a-f]{64}){1,32})$/

export function verify(secret, header, body, nowSeconds = Date.now() / 1000) {
  const [, t, signatures] = form.exec(header ?? '') ?? []
  if (t === undefined || !(Math.abs(nowSeconds - Number(t)) <= 300)) return false
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest()
  const [, ...given] = signatures.split(',v1=')
  return given.some((hex) => timingSafeEqual(Buffer.from(hex, 'hex'), expected))
}
