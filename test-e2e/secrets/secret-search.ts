/** Looks for secrets in whatever a run wrote, in the forms in which bytes are usually written down. It shares no code with the services. */

/** Something that nobody may find. */
export interface Secret {
  name: string
  value: string
}

/** A place and what stands there. */
export interface Written {
  place: string
  text: string | Uint8Array
}

/** What a shorter text is would be found by chance. */
const lengthMin = 16

/** One sentence for each form of each secret in each place; none when all is well. It names no secret. @throws RangeError for a secret that is too short. */
export function findSecrets(secrets: readonly Secret[], written: Iterable<Written>): string[] {
  const forms = secrets.flatMap(({ name, value }) => {
    if (value.length < lengthMin) throw new RangeError(`${name} has fewer than ${lengthMin} characters`)
    return formsOf(value).map(([form, text]) => ({ name, form, text }))
  })
  const found = new Set<string>()
  for (const { place, text } of written) {
    // Bytes are looked at as they are, and as a dump writes them.
    const texts = typeof text === 'string' ? [text] : [Buffer.from(text).toString('utf8'), hexOf(text)]
    for (const one of texts) {
      // Hexadecimal digits and escapes are written in either case.
      const lower = one.toLowerCase()
      for (const { name, form, text: wanted } of forms) {
        const isThere =
          form === 'hex' || form === 'percent' ? lower.includes(wanted.toLowerCase()) : one.includes(wanted)
        if (isThere) found.add(`${name} stands in ${place} as ${form}`)
      }
    }
  }
  return [...found]
}

function formsOf(value: string): [form: string, text: string][] {
  const bytes = Buffer.from(value, 'utf8')
  const forms: [string, string][] = [
    ['plain', value],
    ['hex', hexOf(bytes)],
    ['percent', encodeURIComponent(value)],
    ['JSON', JSON.stringify(value).slice(1, -1)],
  ]
  for (const form of ['base64', 'base64url'] as const) {
    // Where other bytes stand before it, the same characters begin at another bit; those at the ends depend on neighbours.
    for (const before of [0, 1, 2]) {
      const text = Buffer.concat([Buffer.alloc(before), bytes])
        .toString(form)
        .replaceAll('=', '')
      forms.push([form, text.slice(before === 0 ? 0 : before + 1, -1)])
    }
  }
  return forms.filter(([form, text]) => form === 'plain' || text !== value)
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
