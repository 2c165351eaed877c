// Judges what a client gives for a source beyond the OpenAPI schema: settings and credentials by the provider's own schemas, the address by the
// outbound rule. It never tells a resolved address.
import { parseRange } from '@wds/access/address-range'
import type { FieldFault } from '@wds/contracts/field-fault'
import type { Result } from '@wds/contracts/result'
import type { Fault } from '@wds/http-service/problem'
import { createSchemas, type Validate } from '@wds/http-service/schemas'
import { isFeedProvider, providers } from '../providers/domain/providers.ts'
import {
  type AuthKind,
  credentialsOf,
  type FeedCredentials,
  type FeedSettings,
  isCredentialName,
} from '../sources/domain/feed-settings.ts'
import { serialisedTemplate, templateFault } from '../sources/domain/feed-url.ts'
import type { PostbackSettings } from '../sources/domain/postback-settings.ts'

/** Judges an address; the serialised form, or the class of the reason (security.md 1). */
export type CheckUrl = (url: string) => Promise<Result<string, string>>

/** What is given as credentials: those of the kind of authentication, and when they end. */
export type GivenCredentials = FeedCredentials & { expires?: string }

const compiled = new Map<string, { settings: Validate; credentials: Validate }>()

function validatorsOf(provider: string) {
  const known = compiled.get(provider)
  if (known !== undefined) return known
  const schemas = createSchemas({})
  const found = providers.find((one) => one.provider === provider)
  const validators = {
    settings: schemas.compile({ ...found?.settings_schema }),
    credentials: schemas.compile({ ...found?.credentials_schema }),
  }
  compiled.set(provider, validators)
  return validators
}

/** Faults by the published schema; of providers whose form has rules of its own none. */
export function schemaFaults(provider: string, settings: object): Fault[] {
  if (!isFeedProvider(provider) && provider !== 'postback') return []
  const faults = validatorsOf(provider).settings(settings).map(within('/settings'))
  return faults.length > 0 || isFeedProvider(provider) ? faults : rangeFaults(settings)
}

function rangeFaults({ allowed_cidrs: cidrs = [] }: PostbackSettings): Fault[] {
  const detail = 'Must be an address or a range, such as 203.0.113.0/24 or 2001:db8::/32.'
  return cidrs.flatMap((text, place): Fault[] =>
    parseRange(text) === null ? [{ pointer: `/settings/allowed_cidrs/${place}`, code: 'invalid_format', detail }] : [],
  )
}

/** Faults of credentials for a kind of authentication: all that it needs, and nothing else. */
export function credentialFaults(provider: string, given: GivenCredentials, auth: AuthKind): Fault[] {
  const faults = validatorsOf(provider).credentials(given).map(within('/credentials'))
  if (faults.length > 0) return faults
  const needed: readonly string[] = credentialsOf[auth]
  const members = Object.keys(given).filter((name) => name !== 'expires')
  const code = 'validation_failed' as const
  for (const name of needed.filter((one) => !members.includes(one))) {
    faults.push({ pointer: `/credentials/${name}`, code, detail: `auth ${auth} needs it.` })
  }
  for (const name of members.filter((one) => !needed.includes(one))) {
    faults.push({ pointer: `/credentials/${name}`, code, detail: `auth ${auth} has no use for it.` })
  }
  if (given.name !== undefined && !isCredentialName(given.name)) {
    faults.push({
      pointer: '/credentials/name',
      code: 'header_not_allowed',
      detail: 'No header of ours has this name.',
    })
  }
  return faults
}

function within(pointer: string) {
  return (fault: FieldFault): FieldFault => ({ ...fault, pointer: `${pointer}${fault.pointer}` })
}

/** Whether a feed's address may be called. It may ask a name server: never inside a transaction. */
export async function addressFaults(settings: Partial<FeedSettings>, checkUrl: CheckUrl): Promise<Fault[]> {
  const { url } = settings
  if (typeof url !== 'string' || templateFault(url) !== null) return []
  // With days in place of their names, as it will be called.
  const checked = await checkUrl(url.replaceAll('{from}', '2026-01-01').replaceAll('{to}', '2026-01-02'))
  if (checked.ok) return []
  const detail = addressDetails[checked.error] ?? 'The address is not allowed.'
  return [{ pointer: '/settings/url', code: 'url_not_allowed', detail }]
}

/** What to do about each reason of the outbound rule; none names a resolved address. */
const addressDetails: Record<string, string> = {
  malformed: 'Must be an absolute URL such as https://example.com/report?from={from}.',
  too_long: 'Must have at most 2,048 characters.',
  scheme: 'Must begin with https.',
  credentials: 'Must not hold a user name or password; give them as credentials.',
  fragment: 'Must not have a fragment (#…).',
  port: 'The port is not allowed; use 443 or 8443.',
  address: 'Its address is not on the public internet.',
  name: 'Its host name is not one of the public internet.',
}

/** The settings as they are stored: the address in the form that is called. */
export function storedSettings<S extends object>(provider: string, settings: S): S {
  const { url } = settings as Partial<FeedSettings>
  if (!isFeedProvider(provider) || typeof url !== 'string' || templateFault(url) !== null) return settings
  return { ...settings, url: serialisedTemplate(url) }
}
