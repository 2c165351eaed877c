/** Every operation of every service, as their OpenAPI files list them. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type OpenApi, type Operation, readOpenApi } from '@wds/http-service/openapi'
import { isInternal } from '@wds/http-service/openapi-document'
import { type ServiceName, serviceNames } from '@wds/provision/provision'
import { root } from '../harness/standalone.ts'

export const services = serviceNames
export type Service = ServiceName

export type Listed = Operation & { service: Service; document: OpenApi['document'] }

export const operations: Listed[] = services.flatMap((service) => {
  const { document, operations } = readOpenApi(pathToFileURL(join(root, 'services', service, 'src/')))
  return operations.map((operation) => ({ ...operation, service, document }))
})
/** Opened by a key or an access token. */
export const scoped: Listed[] = operations.filter(({ scope }) => typeof scope === 'string')
/** Opened by the session of a person alone. */
export const ofPeople: Listed[] = operations.filter(
  ({ scope, session }) => scope === undefined && session !== undefined,
)

export const isPublic = ({ path }: Operation): boolean => !isInternal(path)
export const nameOf = ({ method, path }: Operation): string => `${method} ${path}`
