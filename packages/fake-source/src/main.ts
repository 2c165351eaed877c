// The network as a program. It prints one JSON line with its address and ends on SIGTERM, or with the process that started it.

import { parseArgs } from 'node:util'
import { startFakeSource } from './fake-source.ts'

const usage =
  'usage: main.ts [--host 127.0.0.1] [--port 0] [--seed 1] [--campaigns 6] [--requests-per-minute N] [--wrong-rows]'

function optionsOf(args: string[]) {
  const text = { type: 'string' } as const
  const perMinute = 'requests-per-minute'
  const options = { host: text, port: text, seed: text, campaigns: text, [perMinute]: text } as const
  const { values } = parseArgs({ args, options: { ...options, 'wrong-rows': { type: 'boolean' } } })
  const { host = '127.0.0.1', port = '0', seed = '1', campaigns = '6', [perMinute]: requests = '0' } = values
  const numbers = [port, seed, campaigns, requests]
  if (!numbers.every((one) => /^[0-9]{1,5}$/.test(one)) || Number(port) > 65_535) throw new Error(usage)
  return {
    host,
    port: Number(port),
    seed: Number(seed),
    campaigns: Number(campaigns),
    hasWrongRows: values['wrong-rows'] ?? false,
    limit: Number(requests) > 0 ? { requests: Number(requests), windowMs: 60_000 } : undefined,
  }
}

// Heard from the first moment on, so that a parent that goes away during the start is noticed too.
const parentGone = new Promise<void>((resolve) => process.once('disconnect', resolve))

try {
  const source = await startFakeSource(optionsOf(process.argv.slice(2)))
  const end = () => {
    source.close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  // A reader or parent that went away must not keep the network from ending in order: their errors are heard and dropped.
  process.stdout.on('error', () => undefined)
  process.stdout.write(`${JSON.stringify({ url: source.url })}\n`)
  process.send?.({ type: 'ready', port: source.port, url: source.url }, undefined, undefined, () => undefined)
  parentGone.then(end, end)
} catch (error) {
  process.stderr.write(`fake source: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
  if (process.connected) process.disconnect()
}
