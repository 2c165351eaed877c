// JSON Schema of a mapping (domain.md 4.4), which every provider with columns of its own takes.
import { dateFormats } from '../../sources/domain/parse-date.ts'
import { canonicalFields } from '../../sources/domain/row-mapping.ts'
import { columnsMax } from '../../sources/domain/split-csv.ts'
import type { JsonSchema } from './json-schema.ts'

const text = { type: 'string' }

const mappingEntry: JsonSchema = {
  type: 'object',
  required: ['to'],
  oneOf: [{ required: ['from'] }, { required: ['const'] }],
  additionalProperties: false,
  properties: {
    to: { enum: canonicalFields },
    from: {
      description: 'Column of a CSV file; member or JSON pointer of a JSON row. A list is summed, for measures only.',
      anyOf: [text, { type: 'array', minItems: 1, maxItems: columnsMax, uniqueItems: true, items: text }],
    },
    const: text,
    unit: { enum: ['major', 'minor'], default: 'major', description: 'Of amounts of money.' },
    format: { enum: dateFormats, description: 'Of dates; of hours iso, unix or unix_ms.' },
    values: { type: 'object', additionalProperties: text, description: 'Translates cells.' },
    negate: { type: 'boolean', default: false, description: 'Of amounts of money.' },
    default: { ...text, description: 'In place of an empty cell.' },
    round: { enum: ['half_even', 'reject'], default: 'half_even', description: 'Of amounts with too many decimals.' },
  },
}

export const mappingSchema: JsonSchema = { type: 'array', minItems: 1, maxItems: 200, items: mappingEntry }
