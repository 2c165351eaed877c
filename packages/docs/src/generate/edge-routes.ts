// The routes of the front door of deploy/compose, as nginx reads them: the table of the standalone's router.

const source = 'deploy/standalone/src/router.ts'

/** `root`: the repository's folder. Throws when the router exports no table. */
export async function edgeRoutes(root: URL): Promise<string> {
  const module: unknown = await import(new URL(source, root).href)
  const { owners } = module as { owners?: [prefix: string, service: string][] }
  if (owners === undefined) throw new Error(`${source} exports no owners`)
  const rows = owners.map(([prefix, service]) => [`"~^${prefix.replaceAll('.', '\\.')}(?:[/?#]|$)"`, service] as const)
  const width = Math.max(...rows.map(([pattern]) => pattern.length))
  return `# Whose is a path (kubernetes.md 2, with one host for all): the first that matches, by whole segments. Made by \`npm run generate\` from
# ${source}; not edited. K01
map $request_uri $wds_service {
  ${'default'.padEnd(width)} console;
${rows.map(([pattern, service]) => `  ${pattern.padEnd(width)} ${service};`).join('\n')}
}
`
}
