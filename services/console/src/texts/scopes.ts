// Texts of the table of scopes.
export const scopeTexts = {
  legend: 'Scopes',
  resource: 'About',
  allows: 'Allows to',
  more: (count: number) => `and ${count} more`,
} as const
