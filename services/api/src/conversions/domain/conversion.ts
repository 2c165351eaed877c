// Decides whether the parameters of a postback are a conversion, and why not (domain.md 4.3). It stops at the first fault, and
// keeps nothing that the event has no use for.

import { isCountry } from '@wds/contracts/countries'
import { minorUnits } from '@wds/contracts/currencies'
import type { PostbackParameter } from '@wds/contracts/postback-parameters'
import { parseAmount } from '../../sources/domain/parse-amount.ts'
import { parseInstant } from '../../sources/domain/parse-date.ts'
import { eventOf, nameOf, type PostbackEvent, type PostbackSettings } from '../../sources/domain/postback-settings.ts'
import { isSigned } from '../../stats/domain/measures.ts'
import { effectOf } from './effects.ts'

/** One conversion as it is stored. */
export interface Conversion {
  event: PostbackEvent
  /** Of the network: the first conversion of an event with it counts. */
  txId: string
  occurredMs: number
  campaign: string | null
  subId: string | null
  country: string | null
  currency: string
  /** Minor units; null where none was given or the event has no use for it. */
  amount: bigint | null
  commission: bigint | null
  kind: 'other' | null
}

export interface ConversionFault {
  /** As it came. */
  parameter: string
  code: 'required' | 'invalid_value' | 'out_of_range' | 'unknown_currency' | 'amount_overflow'
  detail: string
}

/** What a judgement needs to know of the integration and of the moment. */
export interface ConversionRules {
  settings: PostbackSettings
  /** Of times without an offset. */
  zone: string
  /** Of amounts that name none. */
  currency: string
  nowMs: number
}

/** How far back a conversion may lie, and how far ahead: the clocks of networks are not ours. */
export const backMs = 45 * 86_400_000
const aheadMs = 5 * 60_000
/** Characters of a transaction id, a campaign and a sub-affiliate. */
const textMax = 100

class Refusal extends Error {
  readonly fault: ConversionFault
  constructor(fault: ConversionFault) {
    super(fault.code)
    this.fault = fault
  }
}

/** `given`: the parameters by the names that they came under; an empty one was not given. */
export function readConversion(
  given: ReadonlyMap<string, string>,
  rules: ConversionRules,
): { ok: true; value: Conversion } | { ok: false; error: ConversionFault } {
  try {
    return { ok: true, value: new Reading(given, rules).conversion() }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, error: error.fault }
    throw error
  }
}

class Reading {
  readonly #given: ReadonlyMap<string, string>
  readonly #rules: ConversionRules

  constructor(given: ReadonlyMap<string, string>, rules: ConversionRules) {
    this.#given = given
    this.#rules = rules
  }

  conversion(): Conversion {
    const event = this.#event()
    const txId = this.#text('tx_id') ?? this.#missing('tx_id', 'Each conversion needs the id that the network gave it.')
    const occurredMs = this.#time()
    const kind = this.#kind()
    const effect = effectOf(event, kind)
    const currency = this.#currency()
    const amount = effect.amount.length > 0 ? this.#money('amount', currency, effect.amount.every(isSigned)) : null
    const commission =
      effect.commission.length > 0 ? this.#money('commission', currency, effect.commission.every(isSigned)) : null
    const { needs } = effect
    if (needs === 'amount' && amount === null) this.#missing('amount', `A ${event} is nothing without it.`)
    if (needs === 'commission' && commission === null) this.#missing('commission', `A ${event} is nothing without it.`)
    return {
      event,
      txId,
      occurredMs,
      kind: event === 'commission' ? kind : null,
      currency,
      amount,
      commission,
      campaign: this.#text('campaign'),
      subId: this.#text('sub_id'),
      country: this.#country(),
    }
  }

  #event(): PostbackEvent {
    const word = this.#value('event') ?? this.#missing('event', 'It says what the conversion is of.')
    const detail =
      'Must be click, signup, ftd, qualified_ftd, deposit, chargeback or commission, or a word of event_map.'
    return eventOf(word, this.#rules.settings) ?? this.#refuse('event', 'invalid_value', detail)
  }

  #time(): number {
    const { zone, nowMs } = this.#rules
    const text = this.#value('ts')
    if (text === null) return nowMs
    const ms = parseInstant(text, zone)
    if (ms === null) return this.#refuse('ts', 'invalid_value', 'Must be ISO 8601 or seconds since 1970.')
    const isNear = ms >= nowMs - backMs && ms <= nowMs + aheadMs
    return isNear ? ms : this.#refuse('ts', 'out_of_range', 'Must lie at most 45 days back and 5 minutes ahead.')
  }

  #kind(): 'other' | null {
    const text = this.#value('kind')
    return text === 'other' ? text : null
  }

  #currency(): string {
    const currency = this.#value('currency') ?? this.#rules.currency
    if (minorUnits(currency) !== null) return currency
    return this.#refuse('currency', 'unknown_currency', 'The currency is not in ISO 4217.')
  }

  #country(): string | null {
    const text = this.#value('country')
    if (text === null || text === 'ZZ' || text === 'XX') return null
    return isCountry(text) ? text : this.#refuse('country', 'invalid_value', 'Must be two letters of ISO 3166-1.')
  }

  #money(parameter: 'amount' | 'commission', currency: string, signed: boolean): bigint | null {
    const text = this.#value(parameter)
    if (text === null) return null
    const parsed = parseAmount(text, minorUnits(currency) ?? 0, 'half_even')
    if (!parsed.ok && parsed.error === 'amount_overflow')
      return this.#refuse(parameter, 'amount_overflow', 'The amount is too large.')
    if (!parsed.ok) return this.#refuse(parameter, 'invalid_value', 'Must be a decimal number such as 12.50.')
    if (parsed.value < 0n && !signed) return this.#refuse(parameter, 'out_of_range', 'Must not be negative.')
    return parsed.value
  }

  #text(parameter: PostbackParameter): string | null {
    const text = this.#value(parameter)
    if (text !== null && [...text].length > textMax)
      return this.#refuse(parameter, 'out_of_range', 'Must have at most 100 characters.')
    return text
  }

  #value(parameter: PostbackParameter): string | null {
    return this.#given.get(nameOf(parameter, this.#rules.settings)) || null
  }

  #missing(parameter: PostbackParameter, detail: string): never {
    return this.#refuse(parameter, 'required', detail)
  }

  #refuse(parameter: PostbackParameter, code: ConversionFault['code'], detail: string): never {
    throw new Refusal({ parameter: nameOf(parameter, this.#rules.settings), code, detail })
  }
}
