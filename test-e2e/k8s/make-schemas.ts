// Makes k8s/schemas from what Kubernetes and the operators publish: of the kinds that the overlays give, closed, so that a misspelt field
// is refused, and without descriptions. `k8s/schemas/README.md` says from what, and how to run it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadAll } from 'js-yaml'
import { schemaFileOf } from './kubeconform.ts'
import { build, type Manifest, overlays, root } from './render.ts'

type Schema = Record<string, unknown>
const definitionPrefix = '#/$defs/'
const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'
/** Of validation; what is told to people and to the API server goes. */
const kept = new Set(
  'type properties required items enum additionalProperties anyOf oneOf allOf not pattern minimum maximum minLength maxLength minItems maxItems $ref'.split(
    ' ',
  ),
)

/** The same schema, in which an object takes no property that it does not name. */
function close(schema: Schema, isBranch = false): Schema {
  if (schema['x-kubernetes-int-or-string'] === true) return { type: ['integer', 'string'] }
  const closed: Schema = {}
  for (const [key, value] of Object.entries(schema)) if (kept.has(key)) closed[key] = closeValue(key, value)
  // The API's own kinds are given with null for every field; a field of ours that is null is one that somebody forgot.
  if (Array.isArray(closed.type)) closed.type = closed.type.filter((type) => type !== 'null')
  if (Array.isArray(closed.type) && closed.type.length === 1) closed.type = closed.type[0]
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true
  // A branch of anyOf and its like names only what it says something of.
  if (closed.type === 'object' && !isOpen && !isBranch) closed.additionalProperties ??= false
  return closed
}

function closeValue(key: string, value: unknown): unknown {
  if (key === 'properties')
    return Object.fromEntries(Object.entries(value as Schema).map(([name, inner]) => [name, close(inner as Schema)]))
  if (['anyOf', 'oneOf', 'allOf'].includes(key)) return (value as Schema[]).map((inner) => close(inner, true))
  if (key === 'not') return close(value as Schema, true)
  if (typeof value === 'object' && !Array.isArray(value)) return close(value as Schema)
  return value
}

/** With the definitions that it leads to, so that a file needs no other. */
function selfContained(schema: Schema, definitions: Schema): Schema {
  const reached: Schema = {}
  const reach = (from: unknown): void => {
    for (const [, name = ''] of JSON.stringify(from).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) {
      if (name in reached) continue
      reached[name] = close(definitions[name] as Schema)
      reach(reached[name])
    }
  }
  reach(schema)
  return { ...schema, $defs: reached }
}

/** An object as we render it: named, and without a status, which is the controller's. */
function ofRendered(apiVersion: string, kind: string, closed: Schema): Schema {
  const { status, ...properties } = closed.properties as Schema
  const metadata = { $ref: `${definitionPrefix}${objectMeta}` }
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...closed,
    properties: { ...properties, apiVersion: { enum: [apiVersion] }, kind: { enum: [kind] }, metadata },
    required: [...new Set(['apiVersion', 'kind', 'metadata', ...((closed.required as string[] | undefined) ?? [])])],
  }
}

/** The schemas of a file: definitions of Kubernetes (JSON), or custom resource definitions (YAML). By `apiVersion kind`. */
function schemasIn(file: string, definitions: Schema): Map<string, Schema> {
  const found = new Map<string, Schema>()
  const text = readFileSync(file, 'utf8')
  if (file.endsWith('.json')) {
    Object.assign(definitions, JSON.parse(text).$defs)
    for (const schema of Object.values(definitions) as Manifest[])
      for (const { group, version, kind } of schema['x-kubernetes-group-version-kind'] ?? [])
        found.set(`${group === '' ? '' : `${group}/`}${version} ${kind}`, schema)
    return found
  }
  for (const { spec } of loadAll(text) as Manifest[])
    for (const { name, served, schema } of spec.versions)
      if (served) found.set(`${spec.group}/${name} ${spec.names.kind}`, schema.openAPIV3Schema)
  return found
}

async function main(files: string[]): Promise<void> {
  const definitions: Schema = {}
  const published = new Map(files.flatMap((file) => [...schemasIn(file, definitions)]))
  const rendered = await Promise.all(overlays.map((overlay) => build(join(root, 'overlays', overlay))))
  const kinds = new Set(rendered.flatMap(({ objects }) => objects.map((one) => `${one.apiVersion} ${one.kind}`)))
  for (const name of [...kinds].sort()) {
    const [apiVersion = '', kind = ''] = name.split(' ')
    const schema = published.get(name)
    // A kind whose project was not named keeps the schema that it has.
    if (schema === undefined && existsSync(join(root, 'schemas', schemaFileOf({ apiVersion, kind })))) continue
    if (schema === undefined) throw new Error(`no file that was named serves ${name}`)
    const whole = selfContained(ofRendered(apiVersion, kind, close(schema)), definitions)
    writeFileSync(join(root, 'schemas', schemaFileOf({ apiVersion, kind })), `${JSON.stringify(whole)}\n`)
  }
}

if (import.meta.main) await main(process.argv.slice(2))
