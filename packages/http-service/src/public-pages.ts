// The pages of every service that need no token: its health, and what a problem's `type` leads to.
import type { Express } from 'express'
import { Problem } from './problem.ts'
import { problemPage } from './problem-page.ts'
import { contextOf } from './request-context.ts'
import { send, sendAnswer } from './respond.ts'

export function addPublicPages(app: Express): void {
  app.route('/healthz').get((_request, response) => {
    const context = contextOf(response)
    context.route = '/healthz'
    context.isPolled = true
    sendAnswer(context, { status: 200, body: { status: 'ok' }, cache: 'no-store' })
  })
  app.route('/problems/:code').get((request, response) => {
    const page = problemPage(request.params.code)
    if (page === null) throw new Problem('not_found')
    const context = contextOf(response)
    context.route = '/problems/{code}'
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.setHeader('Cache-Control', 'public, max-age=300')
    send(context, 200, page)
  })
  for (const path of ['/healthz', '/problems/:code']) app.all(path, refuseMethod)
}

function refuseMethod(): never {
  throw new Problem('method_not_allowed', { headers: { allow: 'GET, HEAD' } })
}
