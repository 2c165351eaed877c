// Makes from the declarations what others read: the strict and the published JSON Schema of an event, and its example.
// It must never say anything about a type that its declaration does not say.
import type { Envelope } from './envelope.ts'
import type { EventType } from './event-types.ts'
import type { EventDeclaration, FieldValue } from './events/declaration.ts'
import { eventDeclarations } from './events/declarations.ts'
import { parseField, patternOfId, schemaOfField, textPatterns } from './events/field.ts'
import { fieldExamples } from './events/field-examples.ts'
import type { EventSchema, ObjectSchema } from './json-schema.ts'

/** Types whose `data` stays closed in the published form too (settled-points.md 25). */
const closedTypes: ReadonlySet<string> = new Set(['sync.completed'])

const exampleId = 'evt_01JD0000000000000000000000'
const exampleCreated = '2026-11-18T09:30:00.000Z'

/** JSON Schema 2020-12 that producers validate by: no additional property in the envelope or in `data`. */
export function strictSchemaOf(type: EventType): EventSchema {
  return schemaOf(type, false)
}

/** The published JSON Schema: additional properties are open, so that consumers survive growth; but see `closedTypes`. */
export function publishedSchemaOf(type: EventType): EventSchema {
  return schemaOf(type, !closedTypes.has(type))
}

/** One complete, valid event of the type. The same value at every call. */
export function exampleOf<T extends EventType>(type: T): Envelope<T> {
  const declaration: EventDeclaration = eventDeclarations[type]
  const data = Object.fromEntries(
    Object.keys(declaration.data).map((name) => [name, exampleValue(type, declaration, name)]),
  )
  return { id: exampleId, type, created: exampleCreated, data: data as unknown as Envelope<T>['data'] }
}

/** Strict schema of `data` alone, titled by the type: `sync.started` is `SyncStarted`. */
export function dataSchemaOf(type: EventType, open = false): ObjectSchema {
  const declaration: EventDeclaration = eventDeclarations[type]
  const fields = Object.entries(declaration.data).map(([name, notation]) => [name, schemaOfField(parseField(notation))])
  const schema: ObjectSchema = {
    type: 'object',
    title: titleOf(type),
    description: declaration.meaning,
    properties: Object.fromEntries(fields),
    required: Object.keys(declaration.data),
  }
  return open ? schema : { ...schema, additionalProperties: false }
}

function schemaOf(type: EventType, open: boolean): EventSchema {
  const declaration: EventDeclaration = eventDeclarations[type]
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: type,
    description: declaration.meaning,
    type: 'object',
    properties: {
      id: { type: 'string', pattern: patternOfId('evt') },
      type: { const: type },
      created: { type: 'string', format: 'date-time', pattern: textPatterns.ts },
      data: dataSchemaOf(type, open),
    },
    required: ['id', 'type', 'created', 'data'],
    additionalProperties: false,
  }
}

function exampleValue(type: EventType, declaration: EventDeclaration, name: string): FieldValue {
  const value = declaration.example && Object.hasOwn(declaration.example, name) ? declaration.example[name] : undefined
  const found = value === undefined ? fieldExamples[name] : value
  if (found === undefined) throw new TypeError(`${type} has no example for ${name}`)
  return found
}

function titleOf(type: EventType): string {
  return type.replace(/(^|[._])([a-z])/g, (_match, _separator, letter: string) => letter.toUpperCase())
}
