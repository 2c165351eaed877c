// Which credential opens which operation: scopes of tokens and keys, rights of signed-in people by role (docs.md 3). From the OpenAPI document alone.
import { type Right, roles, rolesWith, scopesOfRole } from '@wds/contracts/roles'
import { scopeGroups } from '@wds/contracts/scope-words'
import { type Scope, scopes } from '@wds/contracts/scopes'
import { page, table } from './markdown.ts'

interface Operation {
  summary?: string
  description?: string
  /** `any`: a token is asked for, and which scope depends on the request. */
  'x-scope'?: Scope | 'any' | null
  'x-session'?: Right
}
interface Row {
  method: string
  path: string
  operation: Operation
}
export interface PublicDocument {
  paths: Readonly<Record<string, Readonly<Record<string, Operation | object[]>>>>
}

const made = 'Made from the OpenAPI document and `packages/contracts/src/roles.ts` by `npm run generate`; not edited.'

/** Contents by path from the root of the repository. */
export function routePages(document: PublicDocument): Record<string, string> {
  const rows = rowsOf(document)
  return {
    'packages/docs/reference/scopes-and-routes.md': scopesPage(rows),
    'packages/docs/reference/roles.md': rolesPage(rows),
  }
}

function rowsOf({ paths }: PublicDocument): Row[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation: operation as Operation })),
  )
}

function scopesPage(rows: readonly Row[]): string {
  const words = new Map(scopeGroups.flatMap(({ lines }) => Object.entries(lines)))
  const parts = scopes.map((scope) => {
    const own = rows.filter(({ operation }) => operation['x-scope'] === scope)
    return `## \`${scope}\`\n\n${words.get(scope) ?? ''}.\n\n${routeTable(own)}`
  })
  const byRequest = rows.filter(({ operation }) => operation['x-scope'] === 'any')
  const open = rows.filter(({ operation }) => isOpen(operation))
  return page(
    '# Scopes and routes',
    'You can look up here which scope an access token or an API key needs for a call. A write scope does not include the read scope. What a signed-in person may do in the settings is on [roles](roles.md).',
    made,
    ...parts,
    `## By what is asked for\n\nA token is needed; which scope, depends on the request. A dash: the document names none.\n\n${describedTable(byRequest)}`,
    `## Without a scope\n\n${routeTable(open)}`,
  )
}

const isOpen = (operation: Operation) => (operation['x-scope'] ?? null) === null && operation['x-session'] === undefined

function rolesPage(rows: readonly Row[]): string {
  const rights = [...new Set(rows.flatMap(({ operation }) => operation['x-session'] ?? []))].sort()
  const grid = rights.map((right) => [
    `[\`${right}\`](#${right})`,
    ...roles.map((role) => (rolesWith(right).includes(role) ? 'yes' : '–')),
  ])
  const scopeGrid = scopes.map((scope) => [
    `\`${scope}\``,
    ...roles.map((role) => (scopesOfRole(role).includes(scope) ? 'yes' : '–')),
  ])
  return page(
    '# Roles',
    'You can look up here what a member of a workspace may do in the settings, and which scopes a person may hand on to an app or use in the console.',
    made,
    `## Rights\n\n${table(['right', ...roles], grid)}`,
    `## Scopes\n\n${table(['scope', ...roles], scopeGrid)}`,
    ...rights.map((right) => {
      const own = rows.filter(({ operation }) => operation['x-session'] === right)
      return `## ${right}\n\n${routeTable(own)}`
    }),
  )
}

function routeTable(rows: readonly Row[]): string {
  return table(
    ['call', 'what it does'],
    rows.map(({ method, path, operation }) => [`\`${method} ${path}\``, operation.summary ?? '']),
  )
}

/** With what the document says of the scopes, whose first sentence tells. */
function describedTable(rows: readonly Row[]): string {
  return table(
    ['call', 'what it does', 'scope'],
    rows.map(({ method, path, operation }) => {
      const { summary = '', description = '' } = operation
      const told = /^[^.;]*\bscope\b[^.]*\.|^Needs[^.]*\.|^No scope[^.:]*/.exec(description)?.[0] ?? '–'
      return [`\`${method} ${path}\``, summary, told.replace(/\s+/g, ' ')]
    }),
  )
}
