// The frame of every page that a person sees outside the console: document head, landmark, footer. No script, nothing from elsewhere.
import { type Assets, assetsUnder } from './assets.ts'
import { type Html, html } from './html.ts'

/** What every page has. */
export type PageFrame = {
  /** Text of the window's title; never a name that somebody else chose. */
  title: string
  main: Html
  /** The page says that an entry failed; the title then begins with it, since screen readers read the title first. */
  failed?: boolean
  /** More room, for more than a form. */
  wide?: boolean
  /** Shown at the foot for questions to the operator. */
  requestId?: string | undefined
}

export interface Pages extends Assets {
  /** The whole document. */
  page(frame: PageFrame): string
}

const mark = html`<svg viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" rx="6"/><path d="m7 16v-3m5 3v-8m5 8v-5"/></svg>`

/** The pages of one service. `prefix`: of the path of their stylesheet and icon, which `mounts` serve. */
export function pagesUnder(prefix: string): Pages {
  const assets = assetsUnder(prefix)
  return { ...assets, page: (frame) => documentOf(frame, assets) }
}

function documentOf({ title, main, failed, wide, requestId }: PageFrame, { iconPath, stylesheetPath }: Assets): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${failed && 'Error: '}${title} · Workspace Data Service</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="${iconPath}">
<link rel="stylesheet" href="${stylesheetPath}">
</head>
<body${wide && html` class="wide"`}>
<header>${mark}<span>Workspace Data Service</span></header>
<main>
${main}
</main>
${requestId !== undefined && html`<footer>Request <code>${requestId}</code></footer>`}
</body>
</html>
`.toString()
}
