// Makes the text of event-data.ts from the declared event types. It writes nothing.
import { compile } from 'json-schema-to-typescript'
import { dataSchemaOf } from '../event-schemas.ts'
import { eventTypes } from '../event-types.ts'

const banner = `// Holds the shape of every event's data. Generated from the declarations in events/ by \`npm run generate\`.
// It must never be edited by hand.`

/** The text that event-data.ts must have. */
export async function eventDataSource(): Promise<string> {
  const properties = Object.fromEntries(eventTypes.map(({ type }) => [type, dataSchemaOf(type)]))
  const schema = {
    title: 'EventData',
    description: 'Data of every event type, by its name.',
    type: 'object' as const,
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  }
  return compile(structuredClone(schema) as never, 'EventData', {
    bannerComment: banner,
    ignoreMinAndMaxItems: true,
    style: { semi: false, singleQuote: true, printWidth: 120, trailingComma: 'all' },
  })
}
