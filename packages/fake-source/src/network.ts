// What the network knows: a row per day, campaign and country, as a pure function of the seed and of the instant it is asked at. Figures of a
// day grow and are corrected for days afterwards, as real networks do. The same question at the same instant has the same answer for ever.

/** A day's figures of one campaign in one country. Amounts in cents. */
export interface NetworkRow {
  /** `YYYY-MM-DD`, a day of UTC. */
  date: string
  brand: string
  campaign: string
  campaignName: string
  country: string
  clicks: number
  registrations: number
  ftds: number
  qualifiedFtds: number
  deposits: number
  depositsAmount: number
  ngr: number
  cpa: number
  revshare: number
  /** The reports show a value that is none. */
  isWrong?: true
}

/** How large the network is. */
export interface NetworkSize {
  seed: number
  /** 1 to 1,000. */
  campaigns: number
  /** 1 to 8. */
  countries: number
  /** One row in twenty has a value that is none while its day runs, and is put right on the next; default: none has. */
  hasWrongRows?: boolean
}

/** Both stand in every report, as with a network that has several brands. */
export const brands = ['Northern Bets', 'Acme Casino'] as const
const countries = ['DE', 'SE', 'CA', 'AT', 'FI', 'NO', 'IE', 'NZ']
/** Names that no encoding but the right one reads. */
const names = ['Frühling Köln', 'Été à Paris', 'Sommer €10', 'Señor Gol', 'Plain', 'Ærø “Gold”']

const dayMs = 86_400_000

/** Rows of the days from `from` to `to`, as the network shows them at `asOfMs`; none of days to come. */
export function* networkRows(o: NetworkSize & { from: string; to: string; asOfMs: number }): Generator<NetworkRow> {
  const lastMs = Math.min(Date.parse(o.to), o.asOfMs)
  for (let startMs = Date.parse(o.from); startMs <= lastMs; startMs += dayMs) {
    const date = new Date(startMs).toISOString().slice(0, 10)
    for (let campaign = 1; campaign <= o.campaigns; campaign++) {
      for (const country of countries.slice(0, o.countries)) {
        const row = networkRow(o, { date, startMs, campaign, country })
        if (row !== null) yield row
      }
    }
  }
}

type Cell = { date: string; startMs: number; campaign: number; country: string }

/** Null: the row is not there yet, or was taken out again. */
function networkRow(o: NetworkSize & { asOfMs: number }, cell: Cell): NetworkRow | null {
  const random = randomOf(`${o.seed}|${cell.date}|${cell.campaign}|${cell.country}`)
  const draws = Array.from({ length: 12 }, random)
  const u = (k: number): number => draws[k] ?? 0
  const ageDays = (o.asOfMs - cell.startMs) / dayMs
  // One row in thirty comes a day late; one in fifty is taken out after two days, as clicks of machines.
  if (u(0) < 0.033 && ageDays < 2) return null
  if (u(1) < 0.02 && ageDays >= 2) return null
  const clicks = Math.floor((20 + 180 * u(2)) * Math.min(1, ageDays))
  const registrations = Math.floor(clicks * (0.05 + 0.05 * u(3)))
  // Of a third of the rows deposits are only told some days later.
  const isHeldBack = u(4) < 0.33 && ageDays < 1 + Math.ceil(4 * u(5))
  const ftds = isHeldBack ? 0 : Math.floor(registrations * (0.2 + 0.2 * u(6)))
  const qualifiedFtds = Math.floor(ftds * 0.8)
  const depositsAmount = ftds * (2_000 + Math.floor(8_000 * u(7)))
  // Charge-backs of the third day lower the revenue, at times below zero.
  const chargedBack = u(8) < 0.1 && ageDays >= 3 ? depositsAmount : 0
  const ngr = Math.floor(depositsAmount * (0.4 * u(9) - 0.05)) - chargedBack
  const row: NetworkRow = {
    date: cell.date,
    brand: brands[cell.campaign % brands.length] as string,
    campaign: `c-${cell.campaign}`,
    campaignName: names[cell.campaign % names.length] as string,
    country: cell.country,
    clicks,
    registrations,
    ftds,
    qualifiedFtds,
    deposits: 2 * ftds,
    depositsAmount,
    ngr,
    cpa: 10_000 * qualifiedFtds,
    revshare: Math.floor(ngr * 0.25),
  }
  if (o.hasWrongRows === true && u(10) < 0.05 && ageDays < 1) row.isWrong = true
  return row
}

/** Numbers in [0, 1) that follow from a text: FNV-1a, then mulberry32. */
function randomOf(text: string): () => number {
  let state = 0x811c9dc5
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
