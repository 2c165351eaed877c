// Makes TypeScript types of parameters, bodies and answers from OpenAPI documents: for a service's handlers, and for clients of all
// services. It writes nothing.
import { type JsonObject, readOpenApiDocument } from '@wds/http-service/openapi-document'
import openapiTs, { astToString, type SchemaObject } from 'openapi-typescript'
import { factory, SyntaxKind, type TypeNode } from 'typescript'

const banner = `// Holds the shapes of the concepts' openapi.yaml. Generated from them by \`npm run generate\`.
// It must never be edited by hand.`

/** The text that `src/openapi.generated.ts` of the service must have. */
export async function serviceTypes(root: URL, service: string): Promise<string> {
  const document = readOpenApiDocument(new URL(`services/${service}/src/`, root))
  return await typesOf(asHandled(document) as JsonObject, 'Uint8Array')
}

/** The text that `src/openapi.generated.ts` of the client must have. `document`: that of all services. */
export async function clientTypes({ webhooks: _, ...document }: JsonObject): Promise<string> {
  return await typesOf(document, 'Blob')
}

/** `partType`: the type of a file within a form. */
async function typesOf(document: JsonObject, partType: string): Promise<string> {
  const types = await openapiTs(document as unknown as Parameters<typeof openapiTs>[0], {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    alphabetize: true,
    silent: true,
    transform: (schema) => bytesOfPart(schema, partType) ?? openObject(schema),
  })
  return `${banner}\n${astToString(types)}`
}

/** The document as handlers meet its requests: a query parameter that has a default is always there. */
function asHandled(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(asHandled)
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, asHandled(value)]))
  const isFilledIn = copy.in === 'query' && (copy.schema as { default?: unknown } | undefined)?.default !== undefined
  return isFilledIn ? { ...copy, required: true } : copy
}

/** What has a media type and no type of JSON is a part of a form. */
function bytesOfPart(schema: SchemaObject, partType: string): TypeNode | undefined {
  const isBytes = 'contentMediaType' in schema && !('type' in schema)
  return isBytes ? factory.createTypeReferenceNode(partType) : undefined
}

/** An object of which the file names no member takes every object; one whose members are read says `additionalProperties: true`. */
function openObject(schema: SchemaObject): TypeNode | undefined {
  const types = 'type' in schema ? [schema.type].flat() : []
  if (!types.includes('object') || 'properties' in schema || 'additionalProperties' in schema) return undefined
  const object = factory.createKeywordTypeNode(SyntaxKind.ObjectKeyword)
  return types.includes('null')
    ? factory.createUnionTypeNode([object, factory.createLiteralTypeNode(factory.createNull())])
    : object
}
