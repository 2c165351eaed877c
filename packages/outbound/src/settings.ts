// The settings that say what a service may call, declared once for each service that calls addresses of users (security.md 1.4).
import type { Declarations } from '@wds/settings/declaration'
import type { OutboundPolicy } from './address-rule.ts'

/** For a service's config.ts. */
export const outboundSettings = {
  WDS_OUTBOUND_ALLOW: {
    type: 'list' as const,
    default: [] as string[],
    meaning: 'Allowed targets besides public https addresses: `loopback` for development, or exact origins.',
  },
  WDS_OUTBOUND_OWN_PORTS: {
    type: 'list' as const,
    default: [] as string[],
    meaning: 'Ports of the database, the broker and our own services, which are never called.',
  },
} satisfies Declarations

interface OutboundValues {
  WDS_OUTBOUND_ALLOW: readonly string[]
  WDS_OUTBOUND_OWN_PORTS: readonly string[]
}

/** Faults that stop the start in every profile, or null each. */
export const outboundChecks: readonly ((values: OutboundValues) => string | null)[] = [
  (v) =>
    v.WDS_OUTBOUND_OWN_PORTS.every((port) => /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535)
      ? null
      : 'WDS_OUTBOUND_OWN_PORTS must be a list of ports from 1 to 65535',
  (v) =>
    v.WDS_OUTBOUND_ALLOW.every((entry) => entry === 'none' || entry === 'loopback' || isOrigin(entry))
      ? null
      : 'WDS_OUTBOUND_ALLOW must be `none`, `loopback` or a list of origins',
  (v) =>
    v.WDS_OUTBOUND_ALLOW.length > 1 && v.WDS_OUTBOUND_ALLOW.some((entry) => !isOrigin(entry))
      ? 'WDS_OUTBOUND_ALLOW must hold `none` or `loopback` alone'
      : null,
]

/** Faults that production refuses. */
export function outboundRefusals(values: OutboundValues): string[] {
  return values.WDS_OUTBOUND_ALLOW.every((entry) => entry === 'none')
    ? []
    : ['WDS_OUTBOUND_ALLOW must be unset in production: only public https addresses are called']
}

/** What may be called: public https addresses, and what the operator lists. */
export function policyOf(values: OutboundValues & { WDS_BASE_URL: string }): OutboundPolicy {
  const listed = values.WDS_OUTBOUND_ALLOW.filter((entry) => entry !== 'none')
  const allow = listed.includes('loopback') ? ('loopback' as const) : listed.length > 0 ? listed : ('none' as const)
  const ownPorts = values.WDS_OUTBOUND_OWN_PORTS.map(Number)
  const ownNames = [new URL(values.WDS_BASE_URL).hostname].filter(
    (name) => name.includes('.') && !/^[\d.]+$/.test(name),
  )
  return { allow, ownPorts, ownNames, ports: [443, 8443], blocked: [] }
}

function isOrigin(entry: string): boolean {
  return /^https?:/.test(entry) && URL.canParse(entry) && new URL(entry).origin === entry
}
