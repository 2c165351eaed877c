// Starts OpenTelemetry before the program (`node --import`), when the environment asks for it (stack.md 8.1). Without that it
// reads a few variables and loads nothing. A value that is not understood ends the process with one sentence.

import { onShutdown } from '../shutdown.ts'
import { readSignals } from './signals.ts'

async function start(): Promise<void> {
  const { traces, metrics } = readSignals(process.env)
  if (traces === null && metrics === null) return
  const { createResource } = await import('./resource.ts')
  const resource = createResource(process.argv[1])
  if (metrics !== null) onShutdown(await (await import('./start-metrics.ts')).startMetrics({ metrics, resource }))
  if (traces !== null) onShutdown(await (await import('./start-tracing.ts')).startTracing({ traces, resource }))
}

try {
  await start()
} catch (error) {
  process.stderr.write(`telemetry: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
