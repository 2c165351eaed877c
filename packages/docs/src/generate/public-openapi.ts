// Merges the services' OpenAPI files into the one that clients read at /v1/openapi.json (C80), with every event type as a webhook.
// Two services may use one name for two things: then the later one's gets the service in front of its name.
import { readFile } from 'node:fs/promises'
import { publishedSchemaOf } from '@wds/contracts/event-schemas'
import { eventTypes } from '@wds/contracts/event-types'
import { parse } from 'yaml'

type JsonObject = Record<string, unknown>

/** In this order names are given. */
const services = ['api', 'auth', 'catalog', 'delivery'] as const

/** The document as text. Throws when two services describe the same path. */
export async function publicOpenApi(root: URL): Promise<string> {
  const paths: JsonObject = {}
  const components: Record<string, JsonObject> = {}
  for (const service of services) {
    const text = await readFile(new URL(`services/${service}/openapi.yaml`, root), 'utf8')
    const file = placed(parse(text) as JsonObject, { service, components })
    for (const [path, item] of Object.entries((file.paths ?? {}) as JsonObject)) {
      if (paths[path] !== undefined) throw new Error(`${path} is described by two services, ${service} is one of them`)
      paths[path] = secured(item as JsonObject, file.security)
    }
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Workspace Data Service',
      version: '1.0.0',
      description: 'The REST API, and the calls that webhook subscribers receive.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths: sorted(paths),
    webhooks: Object.fromEntries(eventTypes.map(({ type, meaning }) => [type, webhookOf(type, meaning)])),
    components: Object.fromEntries(Object.entries(components).map(([kind, named]) => [kind, sorted(named)])),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

/** The file with its components in `components`, and its references to where they went. */
function placed(file: JsonObject, o: { service: string; components: Record<string, JsonObject> }): JsonObject {
  const own = (file.components ?? {}) as Record<string, JsonObject>
  const renamed = new Map<string, string>()
  for (const [kind, named] of Object.entries(own)) {
    for (const [name, value] of Object.entries(named)) {
      const taken = o.components[kind]?.[name]
      const differs = taken !== undefined && JSON.stringify(taken) !== JSON.stringify(value)
      if (differs) renamed.set(`#/components/${kind}/${name}`, `#/components/${kind}/${o.service}.${name}`)
    }
  }
  const moved = withReferences(file, renamed) as JsonObject & { components?: Record<string, JsonObject> }
  for (const [kind, named] of Object.entries(moved.components ?? {})) {
    o.components[kind] ??= {}
    const target = o.components[kind]
    for (const [name, value] of Object.entries(named)) {
      const key = renamed.has(`#/components/${kind}/${name}`) ? `${o.service}.${name}` : name
      target[key] ??= value
    }
  }
  return moved
}

function withReferences(value: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, renamed))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === '$ref' && typeof item === 'string' ? (renamed.get(item) ?? item) : withReferences(item, renamed),
    ]),
  )
}

/** Each operation says itself what it asks for: the files have different rules for all of theirs. */
function secured(item: JsonObject, security: unknown): JsonObject {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => {
      const operation = value as JsonObject
      const isOperation = typeof value === 'object' && value !== null && 'responses' in operation
      return [name, isOperation ? { ...operation, security: operation.security ?? security ?? [] } : value]
    }),
  )
}

function webhookOf(type: (typeof eventTypes)[number]['type'], meaning: string): JsonObject {
  const { $schema: _, ...schema } = publishedSchemaOf(type)
  const header = (name: string, description: string) => ({
    ...{ name, in: 'header', required: true, description },
    schema: { type: 'string' },
  })
  return {
    post: {
      summary: meaning,
      parameters: [
        header('X-Service-Signature', 'Time and HMAC-SHA256 signatures of the body: `t=…,v1=…`.'),
        header('webhook-id', 'Id of the event; the same in every attempt.'),
        header('webhook-timestamp', 'Time of the attempt in seconds.'),
        header('webhook-signature', 'The same signature as Standard Webhooks write it.'),
      ],
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { '2XX': { description: 'Received. Anything else is tried again.' } },
      security: [],
    },
  }
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}
