// Decides what of a plan's terms a JSON Schema cannot see (domain.md 3.8): the terms of its type, tiers that rise, currencies.
import { isCurrency } from '@wds/contracts/currencies'
import type { FieldFault } from '@wds/contracts/field-fault'
import type { PlanTerms } from './commission-plan.ts'

/** Terms that a type has; the others it must not have. */
const termsOf = {
  cpa: ['cpa'],
  revshare: ['revshare_bps'],
  hybrid: ['cpa', 'revshare_bps'],
  tiered: ['tiers'],
} as const satisfies Record<PlanTerms['type'], readonly (keyof PlanTerms)[]>

export function planFaults(terms: PlanTerms): FieldFault[] {
  const wanted: readonly string[] = termsOf[terms.type]
  const own = (['cpa', 'revshare_bps', 'tiers'] as const).flatMap((name): FieldFault[] => {
    const isGiven = name === 'tiers' ? terms.tiers.length > 0 : terms[name] !== null
    if (isGiven === wanted.includes(name)) return []
    return isGiven
      ? [{ pointer: `/${name}`, code: 'unknown_field', detail: `A plan of type ${terms.type} does not have it.` }]
      : [{ pointer: `/${name}`, code: 'required', detail: `A plan of type ${terms.type} needs it.` }]
  })
  const rising = terms.tiers.flatMap(({ from_ftds }, at): FieldFault[] => {
    const before = terms.tiers[at - 1]
    if (before === undefined || from_ftds > before.from_ftds) return []
    const detail = 'Tiers rise: each begins above the one before.'
    return [{ pointer: `/tiers/${at}/from_ftds`, code: 'out_of_range', detail }]
  })
  const currencies = (['cpa', 'cap'] as const).flatMap((name): FieldFault[] => {
    const money = terms[name]
    if (money === null || isCurrency(money.currency)) return []
    const detail = 'The currency is not in ISO 4217.'
    return [{ pointer: `/${name}/currency`, code: 'unknown_currency', detail }]
  })
  return [...own, ...rising, ...currencies]
}
