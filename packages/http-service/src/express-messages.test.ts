// What the messages in front of an app guarantee.
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from '@jest/globals'
import express from 'express'
import { messagesOf } from './express-messages.ts'

test('Express finds its own in every message and changes no prototype', async () => {
  const app = express()
  const messages = messagesOf(app)
  const request = new messages.IncomingMessage(new Socket())
  const response = new messages.ServerResponse(request)
  const before = [Object.getPrototypeOf(request), Object.getPrototypeOf(response)]
  Object.assign(request, { method: 'GET', url: '/a/b?c' })
  const handled = new Promise<string>((settle) =>
    app.get('/a/:name', (given) => settle(`${given.path} ${given.params.name}`)),
  )
  app(request as express.Request, response as express.Response)
  expect(await handled).toBe('/a/b b')
  expect(Object.getPrototypeOf(request) === before[0] && Object.getPrototypeOf(response) === before[1]).toBe(true)
  expect([request instanceof IncomingMessage, response instanceof ServerResponse]).toEqual([true, true])
  expect((request as express.Request).app).toBe(app)
})
