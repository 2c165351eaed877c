// What the site holds and in which order (docs.md 2): which files of the repository are pages, their addresses, and where the navigation shows them.

/** A group of the navigation. A file that is named by several groups stands in the first; `*.md` takes what no other pattern names. */
export interface Group {
  /** First segment of the navigation; the six kinds of docs.md 2. */
  section: Section
  /** Title of the group within its section; null: its pages stand in the section itself. */
  title: string | null
  /** Paths from the root of the repository, in the order of the navigation; `*` stands for a part of a name and goes by title. */
  files: readonly string[]
  /** Shown closed until somebody opens it. */
  collapsed?: boolean
  /** False: too many for the navigation; an index page leads to them. */
  isListed?: boolean
}

export const sections = ['Tutorials', 'How-to guides', 'Reference', 'Explanation', 'Operations', 'Changelog'] as const
export type Section = (typeof sections)[number]

const pagesIn =
  (folder: string) =>
  (...names: string[]) =>
    names.map((name) => `packages/docs/${folder}/${name}.md`)
const howTo = pagesIn('how-to')
const reference = pagesIn('reference')
const explanation = pagesIn('explanation')

export const groups: readonly Group[] = [
  { section: 'Tutorials', title: null, files: ['packages/docs/start.md'], isListed: false },
  {
    section: 'Tutorials',
    title: null,
    files: [
      'packages/docs/tutorials/first-delivery.md',
      'packages/docs/tutorials/quickstart*.md',
      'packages/docs/tutorials/receive*.md',
      'packages/docs/tutorials/*.md',
    ],
  },
  {
    section: 'How-to guides',
    title: 'Use the service',
    files: howTo(
      'verify-signatures',
      'test-webhooks',
      'recover',
      'use-api-keys',
      'call-the-api',
      'call-the-api-*',
      'let-an-app-act-for-a-user',
      'manage-members',
      'export',
      '*',
    ),
  },
  {
    section: 'How-to guides',
    title: 'Change the service',
    files: ['.github/CONTRIBUTING.md', ...howTo('add-*', 'change-*', 'check-dependencies', 'make-a-release')],
    collapsed: true,
  },
  {
    section: 'Reference',
    title: null,
    files: [
      ...reference(
        'errors/README',
        'events/README',
        'scopes-and-routes',
        'roles',
        'signature',
        'limits',
        'cli',
        'configuration',
        'metrics',
      ),
      'packages/docs/reference/*.md',
    ],
  },
  { section: 'Reference', title: 'Errors', files: reference('errors/*'), isListed: false },
  { section: 'Reference', title: 'Events', files: reference('events/*'), isListed: false },
  {
    section: 'Explanation',
    title: null,
    files: explanation(
      'architecture',
      'a-delivery',
      'at-least-once',
      'replay',
      'sync',
      'stable-stats',
      'consent-and-tokens',
      'threat-model',
      'data-protection',
      '*',
    ),
  },
  { section: 'Explanation', title: 'Services', files: ['services/*/README.md'] },
  {
    section: 'Explanation',
    title: 'Designs',
    files: ['packages/docs/design/README.md', 'packages/docs/design/*.md'],
    collapsed: true,
  },
  { section: 'Explanation', title: 'Decisions', files: ['packages/docs/decisions/*.md'], isListed: false },
  {
    section: 'Operations',
    title: 'Install',
    files: ['deploy/standalone/README.md', 'deploy/compose/README.md', 'k8s/README.md'],
  },
  {
    section: 'Operations',
    title: 'Run',
    files: [
      ...howTo('upgrade-and-step-back', 'rotate-*', 'rebuild-read-rows', 'bring-back-lost-records', 'restore-a-backup'),
      'packages/docs/operations/*.md',
      'packages/docs/scale.md',
      'packages/docs/benchmark.md',
      'packages/docs/injected-faults.md',
      'packages/docs/on-call.md',
    ],
  },
  { section: 'Operations', title: 'Runbook', files: ['packages/docs/runbook/README.md', 'packages/docs/runbook/*.md'] },
  { section: 'Changelog', title: null, files: ['CHANGELOG.md', '.github/SECURITY.md'] },
]

/** Addresses and titles of pages whose file is named for its place in the repository. */
const named: Readonly<Record<string, { address: string; title: string }>> = {
  'packages/docs/start.md': { address: '', title: 'Documentation' },
  'CHANGELOG.md': { address: 'changelog/', title: 'Changelog' },
  '.github/CONTRIBUTING.md': { address: 'how-to/contribute/', title: 'Contribute' },
  '.github/SECURITY.md': { address: 'security/', title: 'Report a vulnerability' },
  'deploy/standalone/README.md': { address: 'install/one-machine/', title: 'One machine' },
  'deploy/compose/README.md': { address: 'install/compose/', title: 'Containers on one host' },
  'k8s/README.md': { address: 'install/kubernetes/', title: 'Kubernetes' },
  'packages/docs/design/README.md': { address: 'design/', title: 'Designs, and how to cite them' },
}

/** Address of a page below the site's root, with a slash at its end. */
export function addressOf(path: string): string {
  return named[path]?.address ?? path.replace(/^packages\/docs\//, '').replace(/(?:\/README)?\.md$/, '/')
}

/** Null: the page's own heading is its title. */
export function titleOf(path: string): string | null {
  const service = /^services\/([^/]+)\/README\.md$/.exec(path)?.[1]
  return named[path]?.title ?? (service === undefined ? null : `The service ${service}`)
}
