// Writes the part of the Python client that follows from the OpenAPI document: a type for each schema, a method for each operation that a token
// may call. What calls and answers are made of is written by hand beside it.
import { type JsonObject, typeOf, typesModule } from './python-types.ts'

const folder = 'packages/python-client/workspace_data_service'

/** Text of the generated modules, by path from the root. `verify`: the recipe that verifies signatures. */
export function pythonClient(document: JsonObject, verify: string): Record<string, string> {
  return {
    [`${folder}/operations.py`]: operationsModule(document),
    [`${folder}/types.py`]: typesModule(document),
    [`${folder}/verify.py`]: verify,
  }
}

const banner = `# Holds what the OpenAPI document says of operations. Generated from it by \`npm run generate\`.
# It must never be edited by hand.`

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: JsonObject
}

function operationsModule(document: JsonObject): string {
  const methods = Object.entries(document.paths as Record<string, JsonObject>).flatMap(([path, item]) =>
    ['get', 'post', 'patch', 'delete'].flatMap((method) => {
      const operation = item[method]
      if (operation === undefined || !isForTokens(operation)) return []
      return [methodOf(document, { path, method, item, operation })]
    }),
  )
  return `${banner}
from __future__ import annotations

from typing import Any, Literal, Optional, Union

from . import types as t
from .answer import Answer


class Operations:
    def _call(
        self,
        method: str,
        path: str,
        *,
        path_parameters: Optional[dict[str, str]] = None,
        query: Optional[dict[str, Any]] = None,
        body: Any = None,
        content_type: Optional[str] = None,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[Any]:
        raise NotImplementedError

${methods.join('\n')}`
}

const isForTokens = ({ security }: JsonObject) =>
  (security as object[]).length === 0 || (security as object[]).some((one) => 'bearer' in one)

function methodOf(
  document: JsonObject,
  { path, method, item, operation }: { path: string; method: string; item: JsonObject; operation: JsonObject },
): string {
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(
    (one: JsonObject) => resolved(document, one) as unknown as Parameter,
  )
  const of = (place: Parameter['in']) => parameters.filter((one) => one.in === place)
  const contents: JsonObject = operation.requestBody?.content ?? {}
  const [contentType = null] = Object.keys(contents)
  const isJson = contentType === null || contentType.endsWith('json')
  const isBodyNeeded = operation.requestBody?.required === true
  const body = isJson ? typeOf(contents[contentType ?? '']?.schema ?? {}, 't.') : 'Union[bytes, str]'

  const positional = of('path').map(({ name }) => `${nameOf(name)}: str`)
  if (contentType !== null) positional.push(isBodyNeeded ? `body: ${body}` : `body: Optional[${body}] = None`)
  const keywords = of('query').map(
    ({ name, schema, required }) =>
      `${nameOf(name)}: ${required ? typeOf(schema, 't.') : `Optional[${typeOf(schema, 't.')}] = None`}`,
  )
  if (!isJson)
    keywords.push(
      `content_type: Literal[${Object.keys(contents)
        .map((one) => JSON.stringify(one))
        .join(', ')}]`,
    )
  if (of('header').some(({ name }) => name === 'If-Match')) keywords.push('if_match: Optional[str] = None')
  if (method === 'post') keywords.push('idempotency_key: Optional[str] = None')

  const given = [
    `path_parameters=${dictOf(of('path'))}`,
    ...(of('query').length > 0 ? [`query=${dictOf(of('query'))}`] : []),
    ...(contentType === null ? [] : ['body=body']),
    ...(isJson
      ? contentType === null
        ? []
        : [`content_type="${contentTypeOf(method)}"`]
      : ['content_type=content_type']),
    ...['if_match', 'idempotency_key'].flatMap((name) =>
      keywords.some((one) => one.startsWith(`${name}:`)) ? [`${name}=${name}`] : [],
    ),
  ]
  const scope = operation['x-scope']
  const star = keywords.length > 0 ? ['*', ...keywords] : []
  return `    def ${snake(operation.operationId)}(
        ${['self', ...positional, ...star].join(',\n        ')},
    ) -> Answer[${answerOf(document, operation)}]:
        """${sentenceOf(operation.summary)}${scope ? ` Scope: ${scope}.` : ''}"""
        return self._call("${method.toUpperCase()}", "${path}", ${given.join(', ')})
`
}

const contentTypeOf = (method: string) => (method === 'patch' ? 'application/merge-patch+json' : 'application/json')
const sentenceOf = (summary: string) => (summary.endsWith('.') ? summary : `${summary}.`)
const dictOf = (parameters: Parameter[]) =>
  `{${parameters.map(({ name }) => `${JSON.stringify(name)}: ${nameOf(name)}`).join(', ')}}`

/** What an operation answers with 2xx: JSON as its type, anything else as bytes. */
function answerOf(document: JsonObject, { responses }: JsonObject): string {
  const found = Object.entries(responses as Record<string, JsonObject>)
    .filter(([status]) => /^2/.test(status))
    .map(([, response]) => resolved(document, response).content as JsonObject | undefined)
    .map((content) => {
      if (content === undefined) return 'None'
      return content['application/json'] ? typeOf(content['application/json'].schema, 't.') : 'bytes'
    })
  const types = [...new Set(found)]
  return types.length === 1 ? (types[0] as string) : `Union[${types.join(', ')}]`
}

function resolved(document: JsonObject, one: JsonObject): JsonObject {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(one.$ref ?? '') ?? []
  return kind === '' ? one : document.components[kind][name]
}

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** \`created[gte]\` is \`created_gte\`, \`from\` is \`from_\`. */
function nameOf(name: string): string {
  const plain = name.replaceAll(/\W+/g, '_').replace(/_$/, '')
  return ['from', 'in', 'is', 'class', 'global', 'not'].includes(plain) ? `${plain}_` : plain
}
