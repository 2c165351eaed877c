// Loads deploy/compose as Docker Compose itself does: by the loader of the Compose Specification, which holds its schema. The checks look at what
// that gives, never at the file.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { goTool } from '../harness/go-tool.ts'

// biome-ignore lint/suspicious/noExplicitAny: as the specification has it
export type Service = Record<string, any>
export interface Project {
  services: Record<string, Service>
  networks: Record<string, Service>
  volumes: Record<string, Service>
}

export const folder = join(import.meta.dirname, '../../deploy/compose')
export const composeText = readFileSync(join(folder, 'compose.yaml'), 'utf8')
/** Pinned: the loader of Docker Compose, as a program of its own. */
const loaderModule = 'github.com/compose-spec/compose-go/v2/cmd@v2.16.2'

/** Lines `NAME=value` of a file, as Compose reads them. */
export function readEnv(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => /^\w+=/.test(line))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}
export const example: Record<string, string> = readEnv(readFileSync(join(folder, '.env.example'), 'utf8'))

/** What Compose puts in place of `${NAME}`, `${NAME:-other}` and `${NAME:?reason}`: its loader as a program knows no environment. */
function withVariables(text: string, variables: Record<string, string>): string {
  return text.replaceAll(/(?<!\$)\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, other = '') => {
    const value = variables[name]
    if (value) return value
    if (kind !== '-') throw new Error(`${name} has no value: ${other}`)
    return other
  })
}

/** The project that a compose file is. Throws the loader's own words. */
export function load(text: string = composeText, variables: Record<string, string> = example): Project {
  const place = mkdtempSync(join(tmpdir(), 'wds-compose-'))
  try {
    const file = join(place, 'compose.yaml')
    writeFileSync(file, withVariables(text, variables))
    const loader = goTool('cmd', loaderModule)
    const { stdout, stderr, status, error } = spawnSync(loader, ['-format', 'json', file], {
      cwd: folder,
      encoding: 'utf8',
    })
    if (error !== undefined || status !== 0) throw new Error(stderr || String(error))
    return JSON.parse(stdout) as Project
  } finally {
    rmSync(place, { recursive: true })
  }
}

/** The environment that a container gets: its files, then what stands beside them. */
export function environmentOf({ env_file: files = [], environment = {} }: Service): Record<string, string> {
  const read = (files as { path: string }[]).map(({ path }) => readEnv(readFileSync(path, 'utf8')))
  return Object.assign({}, ...read, environment)
}
