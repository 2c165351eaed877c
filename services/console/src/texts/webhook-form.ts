// Texts of the form of a subscription.
export const webhookFormTexts = {
  where: 'Where to',
  what: 'Which events',
  how: 'How',
  url: 'Endpoint URL',
  urlHint: 'Each event is sent there by POST. Redirects are not followed.',
  description: 'Description',
  descriptionHint: 'For the people of your workspace; optional.',
  filter: 'Filter',
  filterHint:
    'Optional. Only events of which every condition holds are delivered. Several values of “in” are separated by commas.',
  addCondition: 'Add condition',
  pointer: 'JSON pointer',
  op: 'Comparison',
  value: 'Value',
  headers: 'Headers',
  headersHint: 'Optional. Sent with each request, such as a token that your endpoint asks for.',
  addHeader: 'Add header',
  headerName: 'Name',
  headerValue: 'Value',
  rateLimit: 'Rate limit',
  rateLimitHint: 'Deliveries per second; empty: none.',
} as const
