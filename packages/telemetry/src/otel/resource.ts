// Says who sends where the standard variables name no service: the package that runs.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources'

/** What OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say wins over it. */
export function createResource(script: string | undefined): Resource {
  const own = resourceFromAttributes({
    'service.name': packageName(script),
    'process.pid': process.pid,
    'process.runtime.name': 'nodejs',
    'process.runtime.version': process.versions.node,
  })
  return defaultResource().merge(own)
}

/** `delivery` for `services/delivery/src/main.ts`: a service's main stands one folder below its package.json. */
function packageName(script: string | undefined): string {
  try {
    const manifest = JSON.parse(readFileSync(join(script ?? '', '../../package.json'), 'utf8')) as { name: string }
    return manifest.name.replace('@wds/', '')
  } catch {
    return 'unknown_service:node'
  }
}
