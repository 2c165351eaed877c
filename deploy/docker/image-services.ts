// The services that have an image.
import { globSync } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Of a service that another branch has, its folder stays behind with what was installed in it: it is none without a manifest. */
export function imageServices(repository: string): string[] {
  const manifests = globSync('services/*/package.json', { cwd: repository })
  return manifests.map((path) => basename(dirname(path))).sort()
}
