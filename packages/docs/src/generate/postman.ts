// Writes the API as a collection of Postman (format 2.1): a folder for each tag, a request for each operation that a token may call, with the
// variables `base_url` and `key`.
// biome-ignore lint/suspicious/noExplicitAny: documents and schemas of every shape
type JsonObject = Record<string, any>

/** Text of the collection. */
export function postmanCollection(document: JsonObject): string {
  const requests = Object.entries(document.paths as Record<string, JsonObject>).flatMap(([path, item]) =>
    ['get', 'post', 'patch', 'delete'].flatMap((method) => {
      const operation = item[method]
      const isForTokens = operation?.security.some((one: object) => 'bearer' in one)
      return isForTokens
        ? [{ tag: operation.tags[0], request: requestOf(document, { path, method, item, operation }) }]
        : []
    }),
  )
  const tags = [...new Set(requests.map(({ tag }) => tag))]
  const collection = {
    info: {
      name: document.info.title,
      description: document.info.description ?? '',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'base_url', value: 'http://127.0.0.1:8080' },
      { key: 'key', value: '' },
    ],
    item: tags.map((tag) => ({
      name: tag,
      item: requests.filter((one) => one.tag === tag).map(({ request }) => request),
    })),
  }
  return `${JSON.stringify(collection, null, 2)}\n`
}

function requestOf(
  document: JsonObject,
  { path, method, item, operation }: { path: string; method: string; item: JsonObject; operation: JsonObject },
): object {
  const resolved = (one: JsonObject): JsonObject => {
    const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(one.$ref ?? '') ?? []
    return kind === '' ? one : document.components[kind][name]
  }
  const parameters: JsonObject[] = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolved)
  const of = (place: string) => parameters.filter((one) => one.in === place)
  const [contentType] = Object.keys(operation.requestBody?.content ?? {})
  const query = of('query').map(({ name, description, required }) => ({
    key: name,
    value: '',
    description: description ?? '',
    // What is not needed is there to be ticked.
    disabled: required !== true,
  }))
  const headers = of('header').map(({ name, required }) => ({ key: name, value: '', disabled: required !== true }))
  return {
    name: operation.summary,
    request: {
      method: method.toUpperCase(),
      description: operation['x-scope'] ? `Scope: ${operation['x-scope']}` : '',
      header: contentType === undefined ? headers : [...headers, { key: 'Content-Type', value: contentType }],
      url: {
        raw: `{{base_url}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        host: ['{{base_url}}'],
        path: path
          .slice(1)
          .replaceAll(/\{(\w+)\}/g, ':$1')
          .split('/'),
        query,
        variable: of('path').map(({ name }) => ({ key: name, value: '' })),
      },
      body: contentType === undefined ? undefined : bodyOf(contentType, operation, resolved),
    },
  }
}

function bodyOf(contentType: string, operation: JsonObject, resolved: (one: JsonObject) => JsonObject): object {
  if (!contentType.endsWith('json')) return { mode: 'raw', raw: '' }
  const sample = sampleOf(operation.requestBody.content[contentType].schema, resolved, 0)
  return { mode: 'raw', raw: JSON.stringify(sample, null, 2), options: { raw: { language: 'json' } } }
}

/** The members that a body must have, each with a value of its kind. */
function sampleOf(given: JsonObject, resolved: (one: JsonObject) => JsonObject, depth: number): unknown {
  const schema = resolved(given)
  if (schema.example !== undefined) return schema.example
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const [choice] = schema.oneOf ?? schema.anyOf ?? []
  const type = [schema.type ?? []].flat()[0]
  if (type === undefined && choice && depth < 5) return sampleOf(choice, resolved, depth + 1)
  if (type === 'array') return schema.minItems && depth < 5 ? [sampleOf(schema.items ?? {}, resolved, depth + 1)] : []
  // The least that there may be is the largest debt: what somebody sends as it stands is to be as small as can be.
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 0, 0)
  if (type === 'boolean') return false
  if (type === 'string') return ''
  const required: string[] = [schema, ...(schema.allOf ?? []).map(resolved)].flatMap((one) => one.required ?? [])
  const properties = Object.assign(
    {},
    ...(schema.allOf ?? []).map((one: JsonObject) => resolved(one).properties),
    schema.properties,
  )
  if (depth >= 5) return {}
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {}, resolved, depth + 1)]))
}
