// Lists the paths that a signed-in person opens, for the client, which sends the session to these alone. It writes nothing.
import type { OpenApiDocument } from '@wds/http-service/openapi-document'

/** The text that `src/settings-paths.generated.ts` of the client must have. `document`: that of all services. */
export function settingsPaths({ paths }: OpenApiDocument): string {
  const named = Object.entries(paths).filter(([, item]) => JSON.stringify(item).includes('"x-session":'))
  const lines = named.map(([path]) => `  '${path}',\n`)
  return `// The paths of the settings API. Generated from the concepts' openapi.yaml by \`npm run generate\`; never edited by hand.
export const settingsPaths = [\n${lines.join('')}] as const\n`
}
