// A validator compiles itself when it is first asked: that each of every service can, is found here and not by a caller.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from '@jest/globals'
import { readOpenApi } from '@wds/http-service/openapi'
import { createSchemas } from '@wds/http-service/schemas'
import { serviceNames } from '@wds/provision/provision'
import { root } from '../harness/standalone.ts'

test.each(serviceNames)('every schema of what %s is sent compiles', (service) => {
  const { document, operations } = readOpenApi(pathToFileURL(`${join(root, 'services', service, 'src')}/`))
  const { compile } = createSchemas(document)
  const schemas = operations.flatMap(({ query, pathParameters, body }) => [
    ...[...query, ...pathParameters].map(({ schema }) => schema),
    ...Object.values(body?.content ?? {}),
  ])
  expect(schemas.length).toBeGreaterThan(0)
  for (const schema of schemas) expect(compile(schema)(undefined)).toBeInstanceOf(Array)
})

test('a schema that refers to what is not there is found', () => {
  const broken = createSchemas({}).compile({ $ref: '#/components/schemas/Missing' })
  expect(() => broken(null)).toThrow(/can't resolve reference/)
})
