// Lets Node make requests and answers that are Express's own from the start. Express would change the prototype of each one that comes
// in, after which every use of it takes longer. It adds nothing to them.
import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

/** Options of `createServer` in front of this app and no other. */
export interface Messages {
  IncomingMessage: typeof IncomingMessage
  ServerResponse: typeof ServerResponse
}

/** Makes the app know the messages as its own. */
export function messagesOf(app: Express): Messages {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request)
  Object.setPrototypeOf(AppResponse.prototype, app.response)
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype })
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse }
}
