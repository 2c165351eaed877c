// Decides from the environment what OpenTelemetry does in this process. It loads nothing of the SDK: most processes need none.

/** The wire formats of OTLP. */
export type OtlpProtocol = 'http/protobuf' | 'http/json'

/** What is exported, and how. Null: nothing of that kind, and nothing is loaded for it. */
export interface Signals {
  traces: { exporter: 'otlp' | 'console'; protocol: OtlpProtocol } | null
  metrics: { prometheus: boolean; otlp: OtlpProtocol | null } | null
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Traces go out when OTEL_TRACES_EXPORTER names an exporter (`otlp`, `console`), metrics when OTEL_METRICS_EXPORTER does (`otlp`,
 * `prometheus`, or both in a list). OTEL_EXPORTER_OTLP_ENDPOINT alone turns both on by OTLP. `none` turns one off,
 * OTEL_SDK_DISABLED=true everything. Throws an Error with one sentence for a value that is not understood.
 */
export function readSignals(env: Env): Signals {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return { traces: null, metrics: null }
  const traces = exporters(env, 'TRACES', ['otlp', 'console'])
  const metrics = exporters(env, 'METRICS', ['otlp', 'prometheus'])
  if (traces.length > 1) throw new Error('OTEL_TRACES_EXPORTER must name one exporter')
  return {
    traces: traces[0] === undefined ? null : { exporter: traces[0], protocol: protocol(env, 'TRACES') },
    metrics:
      metrics.length === 0
        ? null
        : {
            prometheus: metrics.includes('prometheus'),
            otlp: metrics.includes('otlp') ? protocol(env, 'METRICS') : null,
          },
  }
}

function exporters<const E extends string>(env: Env, signal: 'TRACES' | 'METRICS', known: readonly E[]): E[] {
  const name = `OTEL_${signal}_EXPORTER`
  const text = settingOf(env, name) ?? (hasEndpoint(env, signal) ? 'otlp' : 'none')
  const words = text.split(',').map((word) => word.trim())
  if (words.includes('none')) return []
  return words.map((word) => {
    const found = known.find((exporter) => exporter === word)
    if (found === undefined) throw new Error(`${name} must be none, ${known.join(' or ')}, not ${word}`)
    return found
  })
}

function hasEndpoint(env: Env, signal: string): boolean {
  return (
    settingOf(env, 'OTEL_EXPORTER_OTLP_ENDPOINT') !== undefined ||
    settingOf(env, `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`) !== undefined
  )
}

function protocol(env: Env, signal: string): OtlpProtocol {
  const text =
    settingOf(env, `OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`) ??
    settingOf(env, 'OTEL_EXPORTER_OTLP_PROTOCOL') ??
    'http/protobuf'
  if (text === 'http/protobuf' || text === 'http/json') return text
  throw new Error(`OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json, not ${text}`)
}

/** An empty value counts as none (OpenTelemetry, environment variables). */
function settingOf(env: Env, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}

/** A number that is not negative; `fallback` when it is not set. Throws an Error with one sentence. */
export function numberOf(env: Env, name: string, fallback: number): number {
  const text = settingOf(env, name)
  if (text === undefined) return fallback
  const value = Number(text)
  if (!(value >= 0)) throw new Error(`${name} must be a number from 0, not ${text}`)
  return value
}
