/** A file of stats in which an anomaly is found as soon as its days are final. */

const dayMs = 86_400_000
const days = 60

/** About 200 clicks a day, none yesterday (UTC); `date,campaign,clicks`. */
export function silentDayCsv(): string {
  const today = Date.now()
  const lines = Array.from({ length: days }, (_, at) => {
    const clicks = at === days - 1 ? 0 : 195 + ((at * 7) % 11)
    return `${new Date(today - (days - at) * dayMs).toISOString().slice(0, 10)},summer,${clicks}`
  })
  return ['date,campaign,clicks', ...lines, ''].join('\n')
}
