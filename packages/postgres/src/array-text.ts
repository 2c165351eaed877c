// Writes the arrays of a statement as pg does, at half its price: most are columns of ids and numbers, in which nothing is to be escaped.
import pg from 'pg'

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): string | Buffer | null } }).utils

/** As pg's own `prepareValue`, which it leaves alone as it is: texts, bytes and null. */
export function toSendable(value: unknown): string | Buffer | null {
  return (Array.isArray(value) ? arrayText(value) : null) ?? prepareValue(value)
}

const escaped = /["\\]/

/** Null for an array of anything but texts, numbers, truth values and nulls. */
function arrayText(values: readonly unknown[]): string | null {
  let text = ''
  for (const value of values) {
    if (text !== '') text += ','
    switch (typeof value) {
      case 'string':
        text += `"${escaped.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"') : value}"`
        break
      case 'number':
      case 'bigint':
      case 'boolean':
        text += value
        break
      default:
        if (value !== null && value !== undefined) return null
        text += 'NULL'
    }
  }
  return `{${text}}`
}
