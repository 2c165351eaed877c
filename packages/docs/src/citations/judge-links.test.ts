// Plants links and commands that lead nowhere and sees each named.
import { describe, expect, test } from '@jest/globals'
import { judgeLinks, judgeMap } from './judge-links.ts'

const files = new Map([
  ['docs/a.md', '# A page\n\n## Where do I change …?\n'],
  ['docs/sub', ''],

  ['package.json', ''],
])
const repository = {
  exists: (path: string) => files.has(path),
  read: (path: string) => files.get(path) ?? '',
  scripts: new Set(['check']),
}
const faultsOf = (text: string) => judgeLinks('docs/b.md', text, repository).faults

describe('links', () => {
  test.each([
    '[a](a.md)',
    '[a](./a.md#a-page)',
    '[a](a.md#where-do-i-change-)',
    '[root](../package.json) and [folder](sub)',
    '[elsewhere](https://example.com/x) [mail](mailto:a@b.c)',
    '# Here\n[here](#here)',
    '`[code](nowhere.md)`',
    '```\n[code](nowhere.md)\n```',
  ])('lead somewhere: %j', (text) => {
    const own = new Map(files).set('docs/b.md', text)
    const withItself = {
      ...repository,
      exists: (path: string) => own.has(path),
      read: (path: string) => own.get(path) ?? '',
    }
    expect(judgeLinks('docs/b.md', text, withItself).faults).toEqual([])
  })

  test.each([
    ['\n[a](gone.md)', 'docs/b.md:2: gone.md: there is no docs/gone.md'],
    ['[a](a.md#gone)', 'docs/b.md:1: a.md#gone: docs/a.md has no heading #gone'],
    ['[a](../../out.md)', 'docs/b.md:1: ../../out.md: it leads out of the repository'],
  ])('lead nowhere: %j', (text, fault) => {
    expect(faultsOf(text)).toEqual([fault])
  })
})

test('paths in code spans exist, from the root or beside the page', () => {
  expect(faultsOf('`packages/x` of `src/a.ts`')).toEqual(['docs/b.md:1: packages/x: there is no packages/x'])
  files.set('docs/src', '')
  expect(faultsOf('`src/a.ts`, `src/<service>/x`')).toEqual(['docs/b.md:1: src/a.ts: there is no docs/src/a.ts'])
  expect(judgeLinks('docs/b.md', '`packages/x`', repository, false).faults).toEqual([])
})

test('the map has a row for each package', () => {
  const readme = '| [packages/a](packages/a) | [services/b](services/b) |'
  expect(judgeMap(readme, ['packages/a', 'services/b']).faults).toEqual([])
  expect(judgeMap(readme, ['packages/a', 'packages/c']).faults).toEqual([
    'README.md: the map has no row for packages/c',
  ])
})

test('commands of npm that a page names exist', () => {
  expect(faultsOf('`npm run check`, `npm test -- docs/sub`')).toEqual([])
  expect(faultsOf('`npm run --silent gone`')).toEqual(['docs/b.md:1: gone: package.json has no such script'])
  expect(faultsOf('`npm test -- docs/gone`')).toEqual(['docs/b.md:1: docs/gone: there are no such tests'])
})
