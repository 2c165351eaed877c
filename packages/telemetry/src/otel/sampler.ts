// Decides which traces are recorded: the parent's decision, at a root the standard OTEL_TRACES_SAMPLER. A trace that begins with
// links (a retry, a batch) follows what it links to, so that following a recorded event never ends at a gap. A caller from outside
// must never make us record: neither its flag nor the trace id that it chose decides (W3C Trace Context, 'Denial of service').

import { type Context, isSpanContextValid, type Link, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import { newTraceContext } from '../trace-context.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * The sampler named by OTEL_TRACES_SAMPLER (default `parentbased_always_on`). Unless WDS_TRUST_TRACEPARENT is true, a request
 * whose caller records is sampled as if it began the trace, by chance of our own. Throws an Error with one sentence.
 */
export function createSampler(env: Env): Sampler {
  const { standard, root } = samplersOf(env)
  const trusts = /^(?:true|1)$/.test(env.WDS_TRUST_TRACEPARENT?.trim() ?? '')
  return {
    shouldSample(context, traceId, name, kind, attributes, links) {
      if (links.length > 0 && isRoot(context)) return { decision: decisionOf(links) }
      if (!trusts && root !== null && kind === SpanKind.SERVER && isRecordedOutside(context)) {
        return root.shouldSample(ROOT_CONTEXT, newTraceContext().traceId, name, kind, attributes, links)
      }
      return standard.shouldSample(context, traceId, name, kind, attributes, links)
    },
    toString: () => `LinkBased{${standard.toString()}}`,
  }
}

function isRoot(context: Context): boolean {
  const parent = trace.getSpanContext(context)
  return parent === undefined || !isSpanContextValid(parent)
}

/** Services never call each other on the way of a request: the parent of a server span is somebody else's. */
function isRecordedOutside(context: Context): boolean {
  const parent = trace.getSpanContext(context)
  return parent?.isRemote === true && (parent.traceFlags & 1) === 1
}

function decisionOf(links: Link[]): SamplingDecision {
  const sampled = links.some((link) => (link.context.traceFlags & 1) === 1)
  return sampled ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD
}

/** `root` decides where a trace begins; null when each span is decided by itself. */
function samplersOf(env: Env): { standard: Sampler; root: Sampler | null } {
  const name = env.OTEL_TRACES_SAMPLER?.trim() || 'parentbased_always_on'
  const [prefix, kind] = name.startsWith('parentbased_') ? ['parentbased_', name.slice(12)] : ['', name]
  const root = rootSampler(kind, env)
  if (root === null) throw new Error(`OTEL_TRACES_SAMPLER is not known: ${name}`)
  return prefix === '' ? { standard: root, root: null } : { standard: new ParentBasedSampler({ root }), root }
}

function rootSampler(kind: string, env: Env): Sampler | null {
  if (kind === 'always_on') return new AlwaysOnSampler()
  if (kind === 'always_off') return new AlwaysOffSampler()
  if (kind !== 'traceidratio') return null
  const text = env.OTEL_TRACES_SAMPLER_ARG?.trim() || '1'
  const ratio = Number(text)
  if (!(ratio >= 0 && ratio <= 1)) throw new Error(`OTEL_TRACES_SAMPLER_ARG must be from 0 to 1, not ${text}`)
  return new TraceIdRatioBasedSampler(ratio)
}
