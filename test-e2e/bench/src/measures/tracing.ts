/** What tracing costs at full load: the same deliveries with every span recorded and exported, and without OpenTelemetry. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startRig } from '../rig.ts'
import { rounded } from '../statistics.ts'
import { measureWindow } from './deliveries.ts'
import { type Line, type Measure, type MeasureContext, spread } from './measure.ts'

/** Takes spans and forgets them, as cheaply as can be. */
async function startSink(): Promise<{ url: string; bytes(): number; stop(): void }> {
  let bytes = 0
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    request.once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: () => bytes,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function run(context: MeasureContext): Promise<Line[]> {
  const sink = await startSink()
  const load = { ...context, tenants: 10, subscriptions: 10, events: ['sync.*'] }
  const plain = await startRig(load)
  try {
    const traced = await startRig({
      ...load,
      sampled: true,
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
        OTEL_METRICS_EXPORTER: 'none',
        NODE_OPTIONS: `--import=${import.meta.resolve('@wds/telemetry/preload')}`,
      },
    })
    try {
      const ratios: number[] = []
      const cpu: number[] = []
      for (let nth = 0; nth <= context.repetitions; nth += 1) {
        const off = await measureWindow(plain, context.seconds)
        const on = await measureWindow(traced, context.seconds)
        context.say(`tracing: ${rounded(on.rate)}/s of ${rounded(off.rate)}/s${nth === 0 ? ' (dropped)' : ''}`)
        if (nth === 0) continue
        ratios.push((100 * on.rate) / off.rate)
        cpu.push((on.cpu.delivery as number) - (off.cpu.delivery as number))
      }
      if (sink.bytes() === 0) throw new Error('no span was exported')
      const ratio = spread(ratios)
      return [
        {
          measure: 'deliveries with every span exported',
          value: rounded(ratio.median),
          unit: '% of without',
          range: ratio.range,
        },
        { measure: 'CPU per delivery for tracing', value: rounded(spread(cpu).median), unit: 'µs' },
      ]
    } finally {
      await traced.stop()
    }
  } finally {
    await plain.stop()
    sink.stop()
  }
}

export const tracing: Measure = {
  name: 'tracing',
  meaning: 'full load with all spans recorded and exported by OTLP, beside a stack without OpenTelemetry',
  run,
}
