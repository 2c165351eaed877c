// A release on a cluster: one version wherever it stands, and the way back as the page on it tells.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, test } from '@jest/globals'
import { serviceNames } from '@wds/provision/provision'
import { build, nameOf, ofKind, release, root } from './render.ts'

const read = (path: string) => readFileSync(join(root, '..', path), 'utf8')

test.each([
  ['k8s/base/kustomization.yaml', /app\.kubernetes\.io\/version: (\S+) \}/],
  ['k8s/base/migrations/kustomization.yaml', /^nameSuffix: -(\S+)$/m],
  ['deploy/docker/Dockerfile', /^ARG VERSION=(\S+)$/m],
  ['packages/python-client/pyproject.toml', /^version = "(.*)"$/m],
])('%s has the version of package.json, and the recipe for a release names it', (path, place) => {
  expect(place.exec(read(path))?.[1]?.replaceAll('.', '-')).toBe(release)
  expect(read('packages/docs/how-to/make-a-release.md')).toContain(`\`${path}\``)
})

test('regression: the way back by Git leaves out the Jobs, which refuse a newer schema and hold everything up, and nothing else', async () => {
  const page = read('packages/docs/how-to/upgrade-and-step-back.md')
  const patch = /```yaml\n(patches:.*?)```/s.exec(page)?.[1]
  const production = (await build(join(root, 'overlays/production'))).objects
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'wds-k8s-'))
  try {
    const overlay = relative(folder, join(root, 'overlays/production'))
    writeFileSync(join(folder, 'kustomization.yaml'), `kind: Kustomization\nresources: ['${overlay}']\n${patch}`)
    const left = (await build(folder)).objects.map(nameOf)
    const jobs = ofKind(production, 'Job').map(nameOf)
    expect(jobs).toHaveLength(serviceNames.length)
    expect(left.sort()).toEqual(
      production
        .map(nameOf)
        .filter((name) => !jobs.includes(name))
        .sort(),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})
