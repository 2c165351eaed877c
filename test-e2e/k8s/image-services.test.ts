import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { imageServices } from '../../deploy/docker/image-services.ts'

test('regression: of a service of another branch, whose installed packages stay behind, no image and no list of parts is made', () => {
  const repository = mkdtempSync(join(tmpdir(), 'wds-services-'))
  try {
    for (const folder of ['services/api', 'services/gone/node_modules'])
      mkdirSync(join(repository, folder), { recursive: true })
    writeFileSync(join(repository, 'services/api/package.json'), '{}')
    expect(imageServices(repository)).toEqual(['api'])
  } finally {
    rmSync(repository, { recursive: true })
  }
})
