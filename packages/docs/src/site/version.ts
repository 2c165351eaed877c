// What every page says of the version that it is for.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `version 0.1.0`, and that it holds more where the changelog tells of changes that are not released. */
export function versionOf(repository: string): string {
  const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { version: string }
  return versionText(version, readFileSync(join(repository, 'CHANGELOG.md'), 'utf8'))
}

export function versionText(version: string, changelog: string): string {
  const unreleased = /^## \[Unreleased\]\n([\s\S]*?)(?=^## )/m.exec(changelog)?.[1] ?? ''
  return unreleased.trim() === ''
    ? `version ${version}`
    : `version ${version} and the unreleased changes of the changelog`
}
