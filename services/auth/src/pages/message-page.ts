// A page that only says something: an error, a link that has run out, a thing that was done.
import { html } from '@wds/html-pages/html'
import { page } from './frame.ts'

export type MessageModel = {
  /** Heading and title of the window; words of ours. */
  title: string
  /** One paragraph each. */
  text: readonly string[]
  /** What to do next, on this origin. */
  link?: { text: string; href: string } | undefined
  /** Of the request, on error pages. */
  requestId?: string | undefined
}

export function messagePage({ title, text, link, requestId }: MessageModel): string {
  return page({
    title,
    requestId,
    main: html`<h1>${title}</h1>
${text.map((paragraph) => html`<p>${paragraph}</p>`)}
${link && html`<p class="next"><a class="button" href="${link.href}">${link.text}</a></p>`}`,
  })
}
