// Where a person goes after signing in: a path of ours that the page was opened with, and nothing else (open redirects); without one, the
// console.

/** The console, which shares this origin and opens there in the person's current workspace (ui.md 1). */
export const consolePath = '/'

/** The paths that lead to a sign-in and are gone on with behind it: those of this service, and the console's pages. */
const ways = [
  /^\/oauth\/(?:authorize|consent)\//,
  /^\/invitations\//,
  /^\/password/,
  /^\/sign-in$/,
  /^\/w\//,
  /^\/(?:\?|$)/,
]

/** The path with its query, or null: any other address, whatever a browser would make of it. */
export function returnPathOf(text: string, authUrl: string): string | null {
  // A browser drops tabs and line breaks, and takes a backslash for a slash.
  if (text.length > 2_048 || !/^\/[\x21-\x5b\x5d-\x7e]*$/.test(text) || text.startsWith('//')) return null
  const base = new URL(authUrl)
  const url = URL.parse(text, base.href)
  if (url === null || url.origin !== base.origin) return null
  const path = `${url.pathname}${url.search}`
  return path === text && ways.some((way) => way.test(path)) ? path : null
}
