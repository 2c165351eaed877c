// Reads the fields of a posted form, verbatim. Whether a form of ours posted them is for forms.ts to judge.
import type { IncomingMessage } from 'node:http'
import type { MountExchange } from '@wds/http-service/mount'
import { Problem } from '@wds/http-service/problem'

/** auth.md S40. */
export const formBytesMax = 56 * 1024

/** Does the request say that its body is a form? */
export function isForm(request: IncomingMessage): boolean {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  return type === 'application/x-www-form-urlencoded'
}

/** Fields by their names, values verbatim. */
export type Form = Readonly<Record<string, string>>

/** Throws Problems `unsupported_media_type`, `payload_too_large`, `request_timeout`, and those of `parseForm`. */
export async function readFields({ request, readBody }: MountExchange): Promise<Form> {
  if (!isForm(request)) throw new Problem('unsupported_media_type')
  return parseForm((await readBody({ bytesMax: formBytesMax })).toString('latin1'))
}

/** Throws Problem `invalid_request` for a doubled field, a zero character and for what is no percent-encoded UTF-8. */
export function parseForm(text: string): Form {
  const form: Record<string, string> = Object.create(null)
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    if (name in form) throw new Problem('invalid_request', { detail: 'A field is given more than once.' })
    form[name] = at < 0 ? '' : decode(pair.slice(at + 1))
    // Nobody types it, and Postgres refuses it.
    if (form[name].includes('\u0000')) throw new Problem('invalid_request', { detail: 'A field has a zero character.' })
  }
  return form
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new Problem('invalid_request', { detail: 'The form is not UTF-8.' })
  }
}

/** A field that may be missing. */
export const fieldOf = (form: Form, name: string): string => form[name] ?? ''
