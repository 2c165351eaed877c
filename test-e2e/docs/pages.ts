/** Which pages are run as they stand, and who sees to the commands of the others. */

export interface RunPage {
  page: string
  /** Run once for each: texts of the page that are another this time. */
  variants?: Record<string, string>[]
  /** In the workspace that the start prints, whose owner signs in in a browser. */
  isOwners?: boolean
}

/** Each from an empty folder, in a workspace of its own, on one stack that all of them share. */
export const runPages: RunPage[] = [
  { page: 'how-to/call-the-api.md' },
  { page: 'how-to/call-the-api-from-node.md' },
  { page: 'how-to/call-the-api-from-python.md' },
  { page: 'how-to/export.md' },
  { page: 'how-to/recover.md' },
  { page: 'how-to/test-webhooks.md' },
  { page: 'how-to/use-api-keys.md' },
  { page: 'how-to/filter-rotate-and-test-a-webhook.md' },
  { page: 'how-to/import-campaigns.md' },
  { page: 'how-to/import-exchange-rates.md' },
  { page: 'how-to/import-payments.md' },
  { page: 'how-to/pay-sub-affiliates.md' },
  { page: 'how-to/receive-postbacks.md' },
  { page: 'tutorials/first-delivery.md' },
  { page: 'tutorials/quickstart-running-service.md' },
  { page: 'tutorials/close-a-month.md' },
  { page: 'tutorials/connect-a-source.md' },
  { page: 'tutorials/let-an-app-act-for-a-user.md', isOwners: true },
  {
    page: 'tutorials/receive-your-first-webhook.md',
    variants: [{}, { 'node receiver.mjs': 'python3 receiver.py' }],
  },
]

/** Pages with commands that are not run here, and why. */
export const otherPages: Record<string, string> = {
  'how-to/add-a-metric.md': 'changes the sources',
  'how-to/add-a-provider.md': 'changes the sources',
  'how-to/add-a-migration.md': 'changes the sources',
  'how-to/add-a-resource.md': 'changes the sources',
  'how-to/add-a-route.md': 'changes the sources',
  'how-to/add-a-service.md': 'changes the sources',
  'how-to/add-a-setting.md': 'changes the sources',
  'how-to/add-an-event-type.md': 'changes the sources',
  'how-to/bring-back-lost-records.md': 'stops services: test-e2e/faults',
  'how-to/check-dependencies.md': 'asks a registry',
  'how-to/let-an-app-act-for-a-user.md': 'run with a browser: test-e2e/journeys',
  'how-to/make-a-release.md': 'changes the sources',
  'how-to/rebuild-read-rows.md': 'needs a cluster',
  'how-to/rotate-database-passwords.md': 'needs a cluster',
  'how-to/rotate-the-encryption-key.md': 'needs a cluster',
  'how-to/rotate-the-signing-keys.md': 'needs a cluster',
  'how-to/upgrade-and-step-back.md': 'needs a cluster',
}
