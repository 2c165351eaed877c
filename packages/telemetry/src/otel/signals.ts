// Decides from the environment what OpenTelemetry does in this process. It loads nothing of the SDK: most processes need none. It
// is stricter than the SDK, which goes on without telemetry where it does not understand a value.

/** What is exported, by the names of the environment's exporters. Empty: nothing of that kind. */
export interface Signals {
  traces: ('otlp' | 'console')[]
  metrics: ('otlp' | 'prometheus')[]
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Traces go out when OTEL_TRACES_EXPORTER names an exporter (`otlp`, `console`), metrics when OTEL_METRICS_EXPORTER does (`otlp`,
 * `prometheus`, or both in a list). OTEL_EXPORTER_OTLP_ENDPOINT alone turns both on by OTLP. `none` turns one off,
 * OTEL_SDK_DISABLED=true everything. Throws an Error with one sentence for a value that is not understood.
 */
export function readSignals(env: Env): Signals {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return { traces: [], metrics: [] }
  const traces = exporters(env, 'TRACES', ['otlp', 'console'])
  if (traces.length > 1) throw new Error('OTEL_TRACES_EXPORTER must name one exporter')
  const metrics = exporters(env, 'METRICS', ['otlp', 'prometheus'])
  if (traces.length + metrics.length > 0) requireAttributes(env)
  return { traces, metrics }
}

/** The SDK drops all of them, without a word, where one is not as it should be. */
function requireAttributes(env: Env): void {
  const pairs = (settingOf(env, 'OTEL_RESOURCE_ATTRIBUTES') ?? '').split(',').filter((pair) => pair.trim() !== '')
  for (const pair of pairs) {
    const [key = '', ...values] = pair.split('=').map((part) => part.trim())
    if (key === '' || values.length !== 1 || ![key, ...values].every(isAttributeText))
      throw new Error(
        'OTEL_RESOURCE_ATTRIBUTES must be pairs as key=value with commas between them, "," "=" and "%" in them percent-encoded, of 255 characters at most',
      )
  }
}

function isAttributeText(text: string): boolean {
  try {
    return decodeURIComponent(text).length <= 255
  } catch {
    return false
  }
}

/** The exporters of a signal; those by OTLP have a protocol that is there. */
function exporters<const E extends string>(env: Env, signal: 'TRACES' | 'METRICS', known: readonly E[]): E[] {
  const name = `OTEL_${signal}_EXPORTER`
  const text = settingOf(env, name) ?? (hasEndpoint(env, signal) ? 'otlp' : 'none')
  const words = text.split(',').map((word) => word.trim())
  if (words.includes('none')) return []
  if (words.includes('otlp')) readProtocol(env, signal)
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

/** The wire format of OTLP. Throws an Error with one sentence. */
export function readProtocol(env: Env, signal: 'TRACES' | 'METRICS'): 'http/protobuf' | 'http/json' {
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
