// Makes the fields of a form from a JSON Schema, and settings from what was typed (ui.md 2). What no field can carry is typed as JSON.

/** Of what a provider's schemas say; everything else in them is judged by the API. */
export interface FormSchema {
  properties?: Readonly<Record<string, unknown>>
  required?: readonly string[]
}

export interface SchemaField {
  name: string
  label: string
  kind: 'number' | 'text' | 'secret' | 'list' | 'choice' | 'switch' | 'json'
  /** In words of the schema. */
  hint: string | null
  /** Of a choice. */
  options: readonly string[]
  /** What holds when nothing is typed, as it would be typed; null: nothing does. */
  standard: string | null
  isRequired: boolean
  min: number | null
  max: number | null
}

/** What is typed, by name of the field; '' is nothing. */
export type SettingsDraft = Readonly<Record<string, string>>

interface Property {
  type?: string | readonly string[]
  enum?: readonly unknown[]
  items?: Property
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  writeOnly?: boolean
}

export function fieldsOfSchema(schema: FormSchema | null): SchemaField[] {
  return Object.entries(schema?.properties ?? {}).map(([name, given]) => {
    const property = given as Property
    const kind = kindOf(property)
    return {
      name,
      kind,
      label: labelOf(name),
      hint: property.description ?? null,
      options: (property.enum ?? []).filter((one) => typeof one === 'string'),
      standard: property.default === undefined ? null : typedOf(kind, property.default),
      isRequired: schema?.required?.includes(name) ?? false,
      min: property.minimum ?? null,
      // Beyond what anybody types there is no use in telling the limit.
      max: property.maximum === Number.MAX_SAFE_INTEGER ? null : (property.maximum ?? null),
    }
  })
}

function kindOf({ type, enum: options, items, writeOnly }: Property): SchemaField['kind'] {
  if (options?.every((one) => typeof one === 'string')) return 'choice'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'switch'
  if (type === 'string') return writeOnly ? 'secret' : 'text'
  return type === 'array' && items?.type === 'string' ? 'list' : 'json'
}

/** `clicks_per_day` is "Clicks per day". */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function typedOf(kind: SchemaField['kind'], value: unknown): string {
  if (kind === 'list' && Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' ? value : kind === 'json' ? JSON.stringify(value, null, 2) : String(value)
}

/** What is typed in a form that begins with these settings. */
export function typedSettings(fields: readonly SchemaField[], settings: Readonly<Record<string, unknown>>) {
  const known = fields.filter(({ name }) => settings[name] !== undefined)
  return Object.fromEntries(known.map(({ name, kind }) => [name, typedOf(kind, settings[name])]))
}

export type SettingsFault = 'missing' | 'not_a_number' | 'out_of_range' | 'not_json'

/** The settings as the API takes them, without what is left empty; and what is wrong with a field before it is sent. */
export function settingsOf(
  fields: readonly SchemaField[],
  draft: SettingsDraft,
): { settings: Record<string, unknown>; faults: Record<string, SettingsFault> } {
  const settings: Record<string, unknown> = {}
  const faults: Record<string, SettingsFault> = {}
  for (const field of fields) {
    const text = (draft[field.name] ?? '').trim()
    if (text === '') {
      if (field.isRequired) faults[field.name] = 'missing'
      continue
    }
    const read = readValue(field, text)
    if ('fault' in read) faults[field.name] = read.fault
    else settings[field.name] = read.value
  }
  return { settings, faults }
}

function readValue({ kind, min, max }: SchemaField, text: string): { value: unknown } | { fault: SettingsFault } {
  switch (kind) {
    case 'number': {
      const value = Number(text)
      if (!Number.isFinite(value)) return { fault: 'not_a_number' }
      return value < (min ?? value) || value > (max ?? value) ? { fault: 'out_of_range' } : { value }
    }
    case 'switch':
      return { value: text === 'true' }
    case 'list':
      return { value: text.split(/[\s,]+/).filter((one) => one !== '') }
    case 'json':
      try {
        return { value: JSON.parse(text) }
      } catch {
        return { fault: 'not_json' }
      }
    default:
      return { value: text }
  }
}
