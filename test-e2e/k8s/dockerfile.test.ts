// K93: the Dockerfile, read; nothing here builds it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
const dockerfile = read('deploy/docker/Dockerfile')

type Judge = (text: string) => boolean
const lastOf = (text: string) => text.slice(text.lastIndexOf('FROM '))
const rules: Record<string, Judge> = {
  'names every base image by its digest': (text) => {
    const stages = text.split('\n').filter((line) => line.startsWith('FROM '))
    return (
      stages.length === 2 && stages.every((line) => /^FROM [a-z0-9./:-]+@sha256:[0-9a-f]{64}(?: AS \w+)?$/.test(line))
    )
  },
  'has no secret in a build argument or the environment': (text) =>
    !/^(?:ARG|ENV) .*(?:key|secret|token|password)/im.test(text),
  'adds nothing from elsewhere': (text) => !/^\s*ADD |curl|wget/m.test(text),
  'ends with a stage without a shell': (text) =>
    /^FROM gcr\.io\/distroless\/nodejs24-debian12:nonroot@/.test(lastOf(text)) && !/^RUN /m.test(lastOf(text)),
  'runs as a numeric user': (text) => lastOf(text).includes('\nUSER 65532:65532\n'),
  'has the program as process 1': (text) => /^ENTRYPOINT \["\/nodejs\/bin\/node", /m.test(lastOf(text)),
  'holds files that its user cannot change': (text) => /^COPY --from=build --chown=0:0 /m.test(lastOf(text)),
}

test.each(Object.entries(rules))('K93: the Dockerfile %s', (_what, holds) => expect(holds(dockerfile)).toBe(true))

const faults: [rule: string, from: RegExp, to: string][] = [
  ['names every base image by its digest', /@sha256:[0-9a-f]{64}/, ':latest'],
  ['has no secret in a build argument or the environment', /^USER /m, 'ENV API_TOKEN=x\nUSER '],
  ['adds nothing from elsewhere', /^USER /m, 'ADD https://example.com/x /x\nUSER '],
  ['ends with a stage without a shell', /^USER /m, 'RUN true\nUSER '],
  ['runs as a numeric user', /^USER .*$/m, 'USER nonroot'],
  ['has the program as process 1', /^ENTRYPOINT .*$/m, 'ENTRYPOINT node dist/main.js'],
  ['holds files that its user cannot change', /--chown=0:0/, '--chown=65532:65532'],
]
test.each(faults)('K92: K93 finds that the Dockerfile no longer %s', (rule, from, to) => {
  expect(rules[rule]?.(dockerfile.replace(from, to))).toBe(false)
})

test('every rule has a planted fault', () => {
  expect(faults.map(([rule]) => rule).sort()).toEqual(Object.keys(rules).sort())
})

test('regression: K93: what an operator keeps beside the sources, as the pages say, comes into no layer and no commit', () => {
  const patternsOf = (file: string) =>
    read(file)
      .split('\n')
      .filter((line) => /^[^#]/.test(line))
  const ofGit = patternsOf('.gitignore').map((pattern) => pattern.replace(/\/$/, ''))
  const written = [...read('k8s/README.md').matchAll(/provision\/src\/main\.ts (\w+)|base64 -d >(\S+)/g)]
    .concat([...read('deploy/compose/README.md').matchAll(/operator \/run\S+ >(\S+)|-Fc workspace_data > (\w+)/g)])
    .map(([, one, other]) => one ?? other)
  expect(new Set(written)).toEqual(new Set(['secrets', 'ca.crt', 'backup']))
  expect(ofGit.map((pattern) => pattern.replace(/^\//, ''))).toEqual(expect.arrayContaining(['.env', ...written]))
  expect(patternsOf('.dockerignore')).toEqual(
    expect.arrayContaining(ofGit.map((pattern) => (pattern.startsWith('/') ? pattern.slice(1) : `**/${pattern}`))),
  )
})
