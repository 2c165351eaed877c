// Decides which scopes exist: eight, and no others (settled-points.md 24). A `:write` scope never includes its `:read` scope.

/** The eight scopes, in the order of the specification (section 5). */
export const scopes = [
  'stats:read',
  'integrations:read',
  'integrations:write',
  'campaigns:read',
  'campaigns:write',
  'invoices:read',
  'invoices:write',
  'webhooks:manage',
] as const

/** Name of a scope. */
export type Scope = (typeof scopes)[number]

/** Whether the text is one of the eight scopes. */
export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text)
}
