/** Exchange rates of the sample: those of the last day that the service has any of, carried on, so that later days convert. No market had them. */

/** The day after which the service has no rates (services/api/src/fx/ecb). */
const lastDay = '2026-10-30'

/** Units for one euro on that day. */
const rates = {
  USD: '1.1172',
  JPY: '175.68',
  CZK: '24.353',
  DKK: '7.4735',
  GBP: '0.8338',
  HUF: '366.33',
  PLN: '4.4038',
  RON: '5.3447',
  SEK: '10.978',
  CHF: '0.9194',
  ISK: '136',
  NOK: '10.312',
  TRY: '55.8015',
  AUD: '1.5904',
  BRL: '6.0692',
  CAD: '1.5606',
  CNY: '7.4326',
  HKD: '8.7652',
  IDR: '20275.17',
  ILS: '3.495',
  INR: '106.084',
  KRW: '1491.76',
  MXN: '21.1237',
  MYR: '4.5325',
  NZD: '1.9823',
  PHP: '71.143',
  SGD: '1.4282',
  THB: '37.683',
  ZAR: '18.6455',
}

/** As answers name them. */
export const sampleRatesSource = `Sample: rates of ${lastDay} carried on`

const weekMs = 7 * 86_400_000

/** Days with rates up to that one: each first of seven days, since a day without rates takes those of up to 7 days before. */
export function sampleRateDays(today: string): string[] {
  const days: string[] = []
  const toMs = Date.parse(today)
  for (let ms = Date.parse(lastDay) + 86_400_000; ms <= toMs; ms += weekMs)
    days.push(new Date(ms).toISOString().slice(0, 10))
  return days
}

/** A file of rates of the days. */
export function sampleRatesFile(days: readonly string[]): string {
  const lines = days.flatMap((day) => Object.entries(rates).map(([currency, rate]) => `${day},EUR,${currency},${rate}`))
  return `date,base,quote,rate\n${lines.join('\n')}\n`
}
