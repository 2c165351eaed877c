// Decides which part of JSON Schema 2020-12 the event schemas use, as types. It must never validate anything.

/** Schema of a value inside `data`. */
export interface FieldSchema {
  readonly type: string | readonly string[]
  readonly description?: string
  readonly pattern?: string
  readonly format?: string
  readonly enum?: readonly (string | null)[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: FieldSchema
  readonly maxItems?: number
}

/** Schema of an object with named properties. */
export interface ObjectSchema {
  readonly type: 'object'
  readonly title?: string
  readonly description?: string
  readonly properties: Readonly<Record<string, FieldSchema | ObjectSchema | { readonly const: string }>>
  readonly required: readonly string[]
  readonly additionalProperties?: boolean
}

/** Schema of a whole event, complete in itself. */
export interface EventSchema extends ObjectSchema {
  readonly $schema: 'https://json-schema.org/draft/2020-12/schema'
}
