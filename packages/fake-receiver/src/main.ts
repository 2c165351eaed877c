// The receiver as a program. It prints one JSON line with its address and ends on SIGTERM, or with the process that started it.

import { parseArgs } from 'node:util'
import { startFakeReceiver } from './fake-receiver.ts'
import { isReceiverMode } from './modes.ts'

const usage = 'usage: main.ts [--host 127.0.0.1] [--port 0] [--secret whsec_…] [--mode ok|fail|hang|down]'

function optionsOf(args: string[]) {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args, options: { host: text, port: text, secret: text, mode: text } })
  const { host = '127.0.0.1', port = '0', secret = process.env.WDS_RECEIVER_SECRET, mode = 'ok' } = values
  if (!/^[0-9]{1,5}$/.test(port) || Number(port) > 65_535 || !isReceiverMode(mode)) throw new Error(usage)
  return { host, port: Number(port), secret: secret || null, mode }
}

// Heard from the first moment on, so that a parent that goes away during the start is noticed too. Emitted when the channel to
// the parent closes, also when the parent was killed; never without such a channel.
const parentGone = new Promise<void>((resolve) => process.once('disconnect', resolve))

try {
  const receiver = await startFakeReceiver(optionsOf(process.argv.slice(2)))
  const end = () => {
    receiver.close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  // A reader or parent that went away must not keep the receiver from ending in order: their errors are heard and dropped.
  process.stdout.on('error', () => undefined)
  process.stdout.write(`${JSON.stringify({ url: receiver.url })}\n`)
  process.send?.({ type: 'ready', port: receiver.port, url: receiver.url }, undefined, undefined, () => undefined)
  parentGone.then(end, end)
} catch (error) {
  process.stderr.write(`fake receiver: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
  if (process.connected) process.disconnect()
}
