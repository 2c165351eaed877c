// The form of a workspace.

/** Is the text a slug as the API takes it? */
export const isSlug = (text: string): boolean => /^[a-z0-9][a-z0-9-]{0,62}$/.test(text)
