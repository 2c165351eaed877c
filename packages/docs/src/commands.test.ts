// Commands of pages that people follow: each can be typed where its reader is.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'

const root = join(import.meta.dirname, '../../..')
const pages = ['packages/docs/{how-to,runbook}/*.md', 'k8s/README.md', 'README.md', 'packages/event-log/README.md']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .map((page): [page: string, text: string] => [page, readFileSync(join(root, page), 'utf8')])

/** Lines and code that begin with the machine's own `node`, which may be older than the sources need. */
const bareNode = (text: string) => [
  ...text.matchAll(/(?:^\s*|`|&& |=\S* )(node (?:services|packages|deploy|src)\/\S+)/gm),
]

test('regression: who has a checkout types `node bootstrap.mjs node …`, which any Node.js understands', () => {
  expect(pages.length).toBeGreaterThan(30)
  expect(pages.flatMap(([page, text]) => bareNode(text).map(([, command]) => [page, command]))).toEqual([])
  expect(bareNode('do\n   node services/api/src/main.ts check-rows')).toHaveLength(1)
  expect(bareNode('do\n   WDS_X=… node services/api/src/main.ts migrate')).toHaveLength(1)
})

/** Logs of one pod that kubectl chooses, which is one that is well, or of the last 10 lines of each. */
const partOfLogs = (text: string) =>
  [...text.matchAll(/kubectl (?:-n [a-z-]+|…) (logs [^`\n|]+)/g)]
    .map(([, command = '']) => command)
    .filter((command) => command.includes('deploy/') || (command.includes('-l ') && !command.includes('--tail')))

test('regression: who asks for logs sees those of every pod, or of the one that is ill', () => {
  expect(pages.flatMap(([page, text]) => partOfLogs(text).map((command) => [page, command]))).toEqual([])
  expect(partOfLogs('`kubectl -n x logs deploy/api-http` `kubectl -n x logs -l a=b --since=5m`')).toHaveLength(2)
})

/** What a page asks of a cluster: the verb behind the namespace. */
const verbs = (text: string) =>
  [...text.matchAll(/kubectl (?:-n [a-z-]+|…) ([a-z]+(?: (?:pods|pod|deploy|jobs|restart))?)/g)].map(([, verb]) => verb)

test('every kind of command of the runbook stands in the table for compose', () => {
  const runbook = pages.filter(([page]) => page.includes('runbook/'))
  const table = runbook.find(([page]) => page.endsWith('runbook/README.md'))?.[1].split('in compose')[1] ?? ''
  const known = table.split('\n\n')[0] ?? ''
  const asked = new Set(runbook.flatMap(([, text]) => verbs(text)))
  expect(asked.size).toBeGreaterThan(4)
  expect([...asked].filter((verb) => !known.includes((verb ?? '').replace('rollout restart', 'rollout')))).toEqual([])
})
