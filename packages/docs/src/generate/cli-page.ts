// The reference of the operator's command line, from its own table of commands (docs.md 3).
import { page, table } from './markdown.ts'

interface Command {
  words: string[]
  usage: string
  meaning: string
}

const source = 'packages/cli/src/commands.ts'

/** `packages/docs/reference/cli.md`. Throws where the table of commands is no more. */
export async function cliPage(root: URL): Promise<string> {
  const module: unknown = await import(new URL(source, root).href)
  const { commands } = module as { commands?: Command[] }
  if (commands === undefined) throw new Error(`${source} exports no commands`)
  const parts = commands.map(({ words, usage, meaning }) =>
    [`## ${words.join(' ')}`, `\`\`\`sh\nnpm run wds -- ${usage}\n\`\`\``, `It ${meaning}.`].join('\n\n'),
  )
  const codes = [
    ['0', 'done'],
    ['1', 'refused or failed'],
    ['2', 'wrong words'],
  ]
  return page(
    '# Command line',
    "You can look up here the operator's commands. The service is found by `WDS_INTERNAL_URL`, `WDS_INTERNAL_TOKEN_FILE` and `WDS_BASE_URL`, else by the data folder of `npm start` on this machine (`WDS_DATA_DIR`). Programs call `npm run --silent wds -- COMMAND --json`. A relative path of a `FILE` begins in the folder that you are in.",
    `Made from \`${source}\` by \`npm run generate\`; not edited.`,
    table(['exit code', 'means'], codes),
    ...parts,
  )
}
