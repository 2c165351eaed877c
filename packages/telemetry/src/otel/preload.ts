// Starts OpenTelemetry before the program (`node --import`), when the environment asks for it (stack.md 8.1). Without that it
// reads a few variables and loads nothing. A value that is not understood ends the process with one sentence.

import { readSignals } from './signals.ts'

try {
  const signals = readSignals(process.env)
  if (signals.traces.length + signals.metrics.length > 0) await (await import('./start.ts')).start(signals)
} catch (error) {
  process.stderr.write(`telemetry: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
