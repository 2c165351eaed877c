// The page that a person sees when an authorisation cannot go on. It has no `Location`, and says the request id (auth.md 3).

import { sendPage } from '@wds/html-pages/send-page'
import type { MountExchange } from '@wds/http-service/mount'
import { messagePage } from '../../pages/message-page.ts'

export function sendErrorPage(exchange: MountExchange, o: { status: number; title: string; text: string[] }): void {
  const html = messagePage({ title: o.title, text: o.text, requestId: exchange.requestId })
  sendPage(exchange, { status: o.status, html })
}
