// The forms of the workspace settings: what differs from the version that was opened is sent, and nothing else.

/** The members of `draft` that differ from `opened`. */
export function changed<T extends object>(opened: T, draft: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => value !== opened[name as keyof T]),
  ) as Partial<T>
}

/** Is the text a slug as the API takes it? */
export const isSlug = (text: string): boolean => /^[a-z0-9][a-z0-9-]{0,62}$/.test(text)
