// Makes the link that a sub-affiliate sends players with: the campaign's tracking address with the sub-affiliate's sub-id
// put in (domain.md 3.4).

/** Where the sub-id goes. How it is named in the address differs by network. */
export const subIdPlace = '{sub_id}'

/** Null: the address has no place for one. */
export function trackingLink(trackingUrl: string | null, subId: string): string | null {
  if (trackingUrl === null || !trackingUrl.includes(subIdPlace)) return null
  return trackingUrl.replaceAll(subIdPlace, () => encodeURIComponent(subId))
}

/** Whether the address is one of https, and leads to one place whatever stands for the sub-id. */
export function isTrackingUrl(text: string): boolean {
  const [one, other] = ['a', 'b'].map((subId) => trackingLink(text, subId) ?? text)
  return isHttps(one) && isHttps(other) && placeOf(one) === placeOf(other)
}

/** Where an address leads to, with who is named before its host. */
function placeOf(address: string): string {
  const { origin, username, password } = new URL(address)
  return [origin, username, password].join(' ')
}

export function isHttps(text: string | undefined): text is string {
  return text !== undefined && URL.canParse(text) && new URL(text).protocol === 'https:'
}
