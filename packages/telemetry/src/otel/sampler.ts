// Decides which traces are recorded: the parent's decision, at a root the standard OTEL_TRACES_SAMPLER. A trace that begins with
// links (a retry, a batch) follows what it links to, so that following a recorded event never ends at a gap.

import { type Context, isSpanContextValid, type Link, trace } from '@opentelemetry/api'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'

type Env = Readonly<Record<string, string | undefined>>

/** The sampler named by OTEL_TRACES_SAMPLER (default `parentbased_always_on`). Throws an Error with one sentence. */
export function createSampler(env: Env): Sampler {
  const standard = standardSampler(env)
  return {
    shouldSample(context, traceId, name, kind, attributes, links) {
      if (links.length > 0 && isRoot(context)) return { decision: decisionOf(links) }
      return standard.shouldSample(context, traceId, name, kind, attributes, links)
    },
    toString: () => `LinkBased{${standard.toString()}}`,
  }
}

function isRoot(context: Context): boolean {
  const parent = trace.getSpanContext(context)
  return parent === undefined || !isSpanContextValid(parent)
}

function decisionOf(links: Link[]): SamplingDecision {
  const sampled = links.some((link) => (link.context.traceFlags & 1) === 1)
  return sampled ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD
}

function standardSampler(env: Env): Sampler {
  const name = env.OTEL_TRACES_SAMPLER?.trim() || 'parentbased_always_on'
  const [prefix, kind] = name.startsWith('parentbased_') ? ['parentbased_', name.slice(12)] : ['', name]
  const root = rootSampler(kind, env)
  if (root === null) throw new Error(`OTEL_TRACES_SAMPLER is not known: ${name}`)
  return prefix === '' ? root : new ParentBasedSampler({ root })
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
