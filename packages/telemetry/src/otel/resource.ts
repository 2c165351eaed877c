// Says who sends: the standard variables and, where they name no service, the name of the package that runs.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources'

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win. The command line is left out: arguments may hold what must not leave. */
export function createResource(script: string | undefined): Resource {
  const own = resourceFromAttributes({
    'service.name': packageName(script),
    'process.pid': process.pid,
    'process.runtime.name': 'nodejs',
    'process.runtime.version': process.versions.node,
  })
  const detected = detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })
  return defaultResource().merge(own).merge(detected)
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
