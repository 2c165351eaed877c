// Makes the reference of the configuration and .env.example from the declared settings (docs.md 3).
import type { SettingRow } from '@wds/settings/settings'
import type { Program } from './programs.ts'

/** Folders that differ per machine are not written down. */
const shown = (row: SettingRow) => (row.default?.startsWith('/') ? 'a folder of the repository' : row.default)

/** The page, in Markdown. */
export function configurationPage(programs: Program[]): string {
  const common = commonRows(programs)
  const parts = [
    '# Configuration',
    'Every setting of every program. Each is an environment variable. An empty one counts as unset. A secret `NAME` may stand in a file that `NAME_FILE` names instead (mode 0600, or 0440 where a platform mounts it). A start reports all invalid settings at once, never their values. The production profile refuses unsafe settings and unknown names that begin with `WDS_`; `npm start` names the unknown ones and goes on.',
    'Made from the declarations in `src/config.ts` of each program by `npm run generate`; not edited.',
    section('Every service', common),
    ...programs.map((program) => section(`${program.name}: ${lower(program.title)}`, ownRows(program, common))),
  ]
  return `${parts.join('\n\n')}\n`
}

/** All variables, each commented out, grouped as on the page. */
export function envExample(programs: Program[]): string {
  const common = commonRows(programs)
  const head = [
    '# Every setting with its default. `npm start` needs none of them. Secrets have no default and no example:',
    '# an example value would be refused in production.',
    '# Made by `npm run generate`; not edited.',
  ].join('\n')
  const blocks = [
    ['# --- every service', ...common.map(exampleLines)],
    ...programs.map((program) => [
      `# --- ${program.name}: ${lower(program.title)}`,
      ...ownRows(program, common).map(exampleLines),
    ]),
  ]
  return `${[head, ...blocks.flat()].join('\n\n')}\n`
}

/** No services with a database: what they share with those they have of their own. */
const areOnTheirOwn: ReadonlySet<string> = new Set(['standalone', 'console'])

/** Settings that every service has, with one default. */
function commonRows(programs: Program[]): SettingRow[] {
  const services = programs.filter(({ name }) => !areOnTheirOwn.has(name))
  const isEverywhere = (row: SettingRow) => services.every(({ rows }) => rows.some((other) => isSame(row, other)))
  return (services[0]?.rows ?? []).filter(isEverywhere)
}

function ownRows(program: Program, common: SettingRow[]): SettingRow[] {
  if (areOnTheirOwn.has(program.name)) return program.rows
  return program.rows.filter((row) => !common.some((other) => isSame(row, other)))
}

const isSame = (a: SettingRow, b: SettingRow) => JSON.stringify(a) === JSON.stringify(b)

function section(title: string, rows: SettingRow[]): string {
  if (rows.length === 0) return `## ${title}\n\nNo settings of its own.`
  const lines = rows.map((row) => `| \`${row.name}\` | ${kindOf(row)} | ${defaultOf(row)} | ${cell(row.meaning)} |`)
  return [
    `## ${title}`,
    ['| name | type | default | meaning |', '| --- | --- | --- | --- |', ...lines].join('\n'),
  ].join('\n\n')
}

function kindOf(row: SettingRow): string {
  const parts = [row.type, row.unit, row.allowed, row.secret ? 'secret' : null].filter((part) => part !== null)
  return cell(parts.join('; '))
}

function defaultOf(row: SettingRow): string {
  const value = shown(row)
  if (row.required) return '**required**'
  return value === null || value === '' ? 'none' : `\`${cell(value)}\``
}

function exampleLines(row: SettingRow): string {
  const notes = [
    row.allowed,
    row.secret ? 'secret' : null,
    row.required ? 'required where the program is started by itself' : null,
  ]
  const note = notes.filter((part) => part !== null).join('; ')
  const comment = `# ${row.meaning}${note === '' ? '' : ` (${note})`}`
  const value = row.secret || row.default?.startsWith('/') ? '' : (row.default ?? '')
  return `${comment}\n#${row.name}=${value}`
}

const cell = (text: string) => text.replaceAll('|', '\\|')
const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
