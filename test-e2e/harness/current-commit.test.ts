import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { currentCommit } from './current-commit.ts'

test('regression: where there is no repository, as in an archive of the sources, the commit of a report is unknown and nothing ends', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wds-no-repository-'))
  try {
    expect(currentCommit(folder)).toBe('unknown')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
