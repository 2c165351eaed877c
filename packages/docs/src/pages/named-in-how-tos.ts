// What the pages for contributors name of the code: what their examples import, names in their sentences, and the suites of their commands. The
// examples themselves are not compiled, since each stands beside edits that only its reader makes.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { blocksOf } from './read-page.ts'

const sources = ['packages/*/src/**/*.ts', 'services/*/src/**/*.ts', 'test-e2e/**/*.ts']

/** What the names are looked up in. */
interface Code {
  /** Folder of the repository. */
  root: string
  /** Paths from there. */
  files: readonly string[]
  /** Of what is no test, which may plant any. */
  words: ReadonlySet<string>
}

export function readCode(root: string): Code {
  const files = globSync(sources, { cwd: root }).filter((path) => !path.includes('node_modules'))
  const read = (path: string) => readFileSync(join(root, path), 'utf8').match(/\w+/g) ?? []
  return { root, files, words: new Set(files.filter((path) => !path.endsWith('.test.ts')).flatMap(read)) }
}

/** `page`: path from the root. */
export function faultsOfNames({ root, files, words }: Code, page: string, markdown: string): string[] {
  const blocks = [...blocksOf(markdown)]
  const code = blocks.filter(({ language }) => language === 'ts').map(({ text }) => text)
  const shell = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text)
  return [
    ...code.flatMap((text) => faultsOfImports(root, { text, files, own: code.join('\n') })),
    ...faultsOfPlaces(root, page, markdown),
    ...faultsOfMentions(words, markdown, code.join('\n')),
    ...shell.flatMap((text) => faultsOfSuites(root, text, files)),
  ]
}

const imported = /^import (?:type )?\{([^}]+)\} from '([^']+)'$/gm

/** `own`: all code of the page, which may make what it imports further down. */
function faultsOfImports(root: string, o: { text: string; files: readonly string[]; own: string }): string[] {
  return [...o.text.matchAll(imported)].flatMap(([, list = '', from = '']) => {
    const names = list.split(',').map((one) => one.trim().replace(/^type /, ''))
    const found = sourcesOf(root, from, o.files)
    if (found === null) return []
    return names
      .filter((name) => !found.some((source) => isExported(source, name)) && !isExported(o.own, name))
      .filter((name) => !isMadeOf(o.own, from, name))
      .map((name) => `${from} exports no ${name}`)
  })
}

/** The text of each file that it may mean; null where it is none of ours. */
function sourcesOf(root: string, from: string, files: readonly string[]): string[] | null {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const [, name = '', module = ''] = /^@wds\/([^/]+)\/(.+)$/.exec(from) ?? []
  if (name !== '') {
    const { exports = {} } = JSON.parse(read(`packages/${name}/package.json`)) as {
      exports?: Record<string, { default: string }>
    }
    const path = exports[`./${module}`]?.default
    return path === undefined ? [] : [read(join('packages', name, path))]
  }
  if (!from.startsWith('.')) return null
  // Beside which file the example stands is said in words.
  const end = `/${from.replace(/^(?:\.{1,2}\/)+/, '')}`
  return files.filter((path) => path.endsWith(end)).map(read)
}

const isExported = (source: string, name: string) =>
  new RegExp(`^export (?:async )?(?:function\\*?|const|class|interface|type) ${name}\\b`, 'm').test(source) ||
  [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].some(([, list = '']) => list.split(/[\s,]+/).includes(name))

/** Types that `npm run generate` makes of the page's own openapi.yaml. */
const isMadeOf = (own: string, from: string, name: string) =>
  from.endsWith('/openapi.generated.ts') && new RegExp(`: ${name}\\b|<${name}\\b|, ${name}>`).test(own)

/** `name` in, of [file](path), and the like. */
const placed = /`([A-Za-z_]\w*)` (?:\S+ )?(?:in|of) (?:the )?\[[^\]]*\]\(([^)#]+\.ts)\)/g

function faultsOfPlaces(root: string, page: string, markdown: string): string[] {
  return [...markdown.matchAll(placed)].flatMap(([, name = '', path = '']) => {
    const file = join(dirname(page), path)
    const found = new RegExp(`\\b${name}\\b`).test(readFileSync(join(root, file), 'utf8'))
    return found ? [] : [`${file} has no ${name}`]
  })
}

/** Of code: a capital within it. */
const mentioned = /`([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)`/g

function faultsOfMentions(known: ReadonlySet<string>, markdown: string, own: string): string[] {
  const names = new Set([...markdown.matchAll(mentioned)].map(([, name = '']) => name))
  return [...names].filter((name) => !known.has(name) && !own.includes(name)).map((name) => `nothing has ${name}`)
}

/** What stands behind `npm test --`, but options with what belongs to them, and services that the reader names. */
function faultsOfSuites(root: string, commands: string, files: readonly string[]): string[] {
  return [...commands.matchAll(/npm test -- (.+)$/gm)].flatMap(([, behind = '']) =>
    behind
      .replace(/-t '[^']*'/g, '')
      .split(' ')
      .filter((word) => word !== '' && !word.includes('<'))
      .filter((word) => !existsSync(join(root, word)) && !isSuite(files, word))
      .map((word) => `no suite begins with ${word}`),
  )
}

const isSuite = (files: readonly string[], word: string) =>
  files.some((path) => path.startsWith(word) && path.endsWith('.test.ts'))
