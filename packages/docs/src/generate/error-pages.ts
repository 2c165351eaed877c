// The reference of errors: an index, and a page for each code of the catalogue (docs.md 3, C10).
import { type ProblemCode, type ProblemDefinition, problems } from '@wds/contracts/problems'
import { Problem, toProblemDocument } from '@wds/http-service/problem'
import { jsonBlock, page, table } from './markdown.ts'

const folder = 'packages/docs/reference/errors'
const made = 'Made from `packages/contracts/src/problems.ts` by `npm run generate`; not edited.'
const example = { baseUrl: 'https://api.example.com', requestId: 'req_01JD0000000000000000000000' }

/** Contents by path from the root of the repository. */
export function errorPages(): Record<string, string> {
  const all: ProblemDefinition[] = Object.values(problems)
  const codes = Object.keys(problems) as ProblemCode[]
  return {
    [`${folder}/README.md`]: index(all),
    ...Object.fromEntries(codes.map((code) => [`${folder}/${code}.md`, pageOf(code)])),
  }
}

function index(all: readonly ProblemDefinition[]): string {
  const byStatus = all.toSorted((one, other) => one.status - other.status)
  const rows = byStatus.map(({ code, status, title }) => [`[\`${code}\`](${code}.md)`, String(status), title])
  return page(
    '# Errors',
    'You can look up here what a refusal of the API means and how to get past it. Every error is an `application/problem+json` document (RFC 9457). Programs read `code`, which never changes; people read `detail`; `errors` names each field or parameter at fault; `instance` holds the id of the request, for questions to the operator.',
    made,
    table(['code', 'status', 'title'], rows),
  )
}

function pageOf(code: ProblemCode): string {
  const problem: ProblemDefinition = problems[code]
  const type =
    problem.registeredType === undefined
      ? `Its \`type\` is \`{base_url}/problems/${code}\`.`
      : `Its \`type\` is the registered \`${problem.registeredType}\`.`
  return page(
    `# ${code}`,
    `${problem.title}: status ${problem.status}. ${type}`,
    `## What happened\n\n${problem.detail}`,
    `## How to fix it\n\n${problem.howToFix}`,
    `## Example\n\n${jsonBlock(toProblemDocument(new Problem(code), example))}`,
    'An answer may say more in `detail` and `errors` than this example. [All errors](README.md).',
  )
}
