// Merges the services' OpenAPI documents into the one that clients read at /v1/openapi.json (C80), with every event type as a webhook.
import { globSync } from 'node:fs'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publishedSchemaOf } from '@wds/contracts/event-schemas'
import { eventTypes } from '@wds/contracts/event-types'
import { isInternal, type JsonObject, readOpenApiDocument } from '@wds/http-service/openapi-document'

/** The services that have an API: those whose concepts have an openapi.yaml, in the order of their names. */
export function servicesOf(root: URL): string[] {
  const files = globSync('services/*/src/**/openapi.yaml', { cwd: fileURLToPath(root) })
  return [...new Set(files.map((file) => file.split(sep)[1] ?? ''))].sort()
}

/** The document as text. Throws when two services describe the same path, or give one name to two things. */
export function publicOpenApi(root: URL): string {
  const documents = servicesOf(root).map((service) => readOpenApiDocument(new URL(`services/${service}/src/`, root)))
  const { openapi, info, servers } = documents[0] as JsonObject
  const paths: JsonObject = {}
  const components: Record<string, JsonObject> = {}
  for (const document of documents) {
    for (const [path, item] of Object.entries(document.paths)) {
      if (isInternal(path)) continue
      if (paths[path] !== undefined) throw new Error(`${path} is described by two services`)
      paths[path] = tagged(path, item)
    }
    for (const [kind, named] of Object.entries(document.components)) {
      components[kind] = merged(components[kind] ?? {}, named)
    }
  }
  const tags = [...new Set(Object.keys(paths).map(tagOf)), webhookTag].sort().map((name) => ({ name }))
  const document = {
    openapi,
    info,
    servers,
    tags,
    paths: sorted(paths),
    webhooks: Object.fromEntries(eventTypes.map(({ type, meaning }) => [type, webhookOf(type, meaning)])),
    components: Object.fromEntries(Object.entries(components).map(([kind, named]) => [kind, sorted(named)])),
  }
  removeUnused(document)
  return `${JSON.stringify(document, null, 2)}\n`
}

/** What documentation and clients group operations by: the resource, as its path names it. */
const tagOf = (path: string) => path.split('/')[2] ?? path
const webhookTag = 'webhook-calls'

function tagged(path: string, item: JsonObject): JsonObject {
  const operations = Object.entries(item).map(([name, value]) => [
    name,
    name === 'parameters' ? value : { tags: [tagOf(path)], ...(value as JsonObject) },
  ])
  return Object.fromEntries(operations)
}

/** What only internal paths refer to is not public. */
function removeUnused(document: JsonObject & { components: Record<string, JsonObject> }): void {
  const kinds = Object.entries(document.components).filter(([kind]) => kind !== 'securitySchemes')
  for (let removed = true; removed; ) {
    const text = JSON.stringify(document)
    removed = false
    for (const [kind, named] of kinds) {
      for (const name of Object.keys(named)) {
        if (text.includes(`"#/components/${kind}/${name}"`)) continue
        delete named[name]
        removed = true
      }
    }
  }
}

function merged(taken: JsonObject, named: JsonObject): JsonObject {
  for (const [name, value] of Object.entries(named)) {
    if (taken[name] !== undefined && JSON.stringify(taken[name]) !== JSON.stringify(value)) {
      throw new Error(`two services have a component ${name}, and they differ`)
    }
  }
  return { ...taken, ...named }
}

function webhookOf(type: (typeof eventTypes)[number]['type'], meaning: string): JsonObject {
  const { $schema: _, ...schema } = publishedSchemaOf(type)
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })
  return {
    post: {
      tags: [webhookTag],
      operationId: `receive ${type}`.replace(/[ ._](\w)/g, (_, letter: string) => letter.toUpperCase()),
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
