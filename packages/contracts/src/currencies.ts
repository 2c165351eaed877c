// Decides which currencies exist and how many decimals each has, by the ISO 4217 table kept here (domain.md M1).
import { codesByMinorUnits } from './currency-table.ts'

/** An amount of money, in minor units of its currency. */
export interface Money {
  amount: number
  currency: string
}

const unitsByCode: ReadonlyMap<string, number> = new Map(
  Object.entries(codesByMinorUnits).flatMap(([units, codes]) =>
    codes
      .trim()
      .split(/\s+/)
      .map((code) => [code, Number(units)] as const),
  ),
)

/** All codes that an amount may have, sorted. */
export const currencyCodes: readonly string[] = [...unitsByCode.keys()].sort()

/** Decimals of the currency (JPY 0, EUR 2, KWD 3), or null for a code that is not in the table. Codes are upper case. */
export function minorUnits(code: string): number | null {
  return unitsByCode.get(code) ?? null
}

/** `-1,234.56` of minor units, exact; without the currency. */
export function moneyText(amount: number | bigint, currency: string): string {
  const places = minorUnits(currency) ?? 0
  const digits = String(amount)
    .replace('-', '')
    .padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+$)/g, ',')
  const sign = amount < 0 ? '-' : ''
  return places === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-places)}`
}

/** Whether the text is a currency code of the table. */
export function isCurrency(code: string): boolean {
  return unitsByCode.has(code)
}
