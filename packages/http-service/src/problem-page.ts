// The public page behind a problem's `type`: what the code means and how to get past it (C10). It holds nothing but the catalogue's text.
import { type ProblemDefinition, problems } from '@wds/contracts/problems'
import { isProblemCode } from './problem.ts'

/** The page of a code, which leads into the documentation of the same host, or null for an unknown one. */
export function problemPage(code: string): string | null {
  if (!isProblemCode(code)) return null
  const problem: ProblemDefinition = problems[code]
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${toHtml(problem.code)}</title></head>
<body>
<h1>${toHtml(problem.title)}</h1>
<p>Code <code>${toHtml(problem.code)}</code>, status ${problem.status}.</p>
<p>${toHtml(problem.detail)}</p>
<h2>What to do</h2>
<p>${toHtml(problem.howToFix)}</p>
<p><a href="/docs/reference/errors/${toHtml(problem.code)}/">This error in the documentation</a></p>
</body>
</html>
`
}

function toHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
