// The host of an address, as it is called (punycode), so that no letter that looks like another deceives (ui.md 6).

/** `shown`: with its port; `readable`: in its own letters, where that differs. */
export function hostOf(url: string): { shown: string; readable: string | null } {
  const parsed = URL.parse(url)
  if (parsed === null) return { shown: url, readable: null }
  const { host } = parsed
  if (!/(?:^|\.)xn--/.test(host)) return { shown: host, readable: null }
  const given = /^[a-z]+:\/\/(?:[^/@]*@)?([^/?#]+)/i.exec(url)?.[1] ?? host
  return { shown: host, readable: given === host ? null : given }
}
