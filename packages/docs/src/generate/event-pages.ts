// The reference of events: an index by family, and a page for each type (docs.md 3).
import { exampleOf, publishedSchemaOf } from '@wds/contracts/event-schemas'
import { type EventTypeEntry, eventTypes } from '@wds/contracts/event-types'
import type { FieldSchema, ObjectSchema } from '@wds/contracts/json-schema'
import { jsonBlock, page, table } from './markdown.ts'

const folder = 'packages/docs/reference/events'
const made = 'Made from `packages/contracts/src/events` by `npm run generate`; not edited.'

/** Contents by path from the root of the repository. */
export function eventPages(): Record<string, string> {
  return {
    [`${folder}/README.md`]: index(),
    ...Object.fromEntries(eventTypes.map((entry) => [`${folder}/${entry.type}.md`, pageOf(entry)])),
  }
}

function index(): string {
  const families = [...new Set(eventTypes.map(({ type }) => familyOf(type)))]
  const parts = families.map((family) => {
    const rows = eventTypes
      .filter(({ type }) => familyOf(type) === family)
      .map(({ type, meaning, oncePer, volume }) => [`[\`${type}\`](${type}.md)`, meaning, oncePer, volume])
    return `## ${family}\n\n${table(['type', 'when', 'once per', 'volume'], rows)}`
  })
  return page(
    '# Event catalog',
    'You can look up here which events a subscription can ask for, when each is sent and what it holds. A subscription names types, `family.*` or `*`. The same catalog is `GET /v1/event-types`, with a JSON Schema and an example of each.',
    made,
    ...parts,
  )
}

function pageOf({ type, meaning, oncePer, readScope, since, stability, volume }: EventTypeEntry): string {
  const schema = publishedSchemaOf(type)
  const data = schema.properties.data as ObjectSchema
  const fields = Object.entries(data.properties).map(([name, field]) => fieldRow(name, field as FieldSchema))
  const scopes = readScope.length === 0 ? 'none besides it' : readScope.map((scope) => `\`${scope}\``).join(', ')
  return page(
    `# ${type}`,
    meaning,
    table(
      ['property', 'value'],
      [
        ['once per', oncePer],
        ['volume', volume],
        ['since', since],
        ['stability', stability],
        ['read scope besides `webhooks:manage`, where the workspace has strict event scopes', scopes],
      ],
    ),
    `## Data\n\n${table(['field', 'type', 'meaning'], fields)}`,
    `## Example\n\nThe body of a call as a subscriber receives it; \`id\` is the same in every attempt.\n\n${jsonBlock(exampleOf(type))}`,
    `## Schema\n\n${jsonBlock(schema)}`,
    `[All events](README.md) · [verify what you receive](../../how-to/verify-signatures.md)`,
  )
}

const familyOf = (type: string) => type.slice(0, type.indexOf('.'))

function fieldRow(name: string, field: FieldSchema): string[] {
  const { type, format, description = '', enum: values } = field
  const kinds = [type].flat().join(' or ')
  const shown = format === undefined ? kinds : `${kinds}, ${format}`
  const allowed = values === undefined ? '' : values.map((value) => `\`${value}\``).join(', ')
  const words = [description, allowed === '' ? '' : `One of ${allowed}.`, nestedText(field)]
  return [`\`${name}\``, shown, words.filter((word) => word !== '').join(' ')]
}

/** What stands in a list, or in an object. */
function nestedText(field: FieldSchema): string {
  const items = field.items as (FieldSchema & Partial<ObjectSchema>) | undefined
  const names = Object.keys(items?.properties ?? (field as Partial<ObjectSchema>).properties ?? {})
  if (names.length > 0) return `Holds ${names.map((name) => `\`${name}\``).join(', ')}.`
  return items === undefined ? '' : `Each a ${[items.type].flat().join(' or ')}.`
}
