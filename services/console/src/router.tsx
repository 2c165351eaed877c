// Which address shows which page. The address names the workspace; a page of another one is never opened by itself (ui.md 1).

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  useRouterState,
} from '@tanstack/react-router'
import { PlainPage } from './components/plain-page.tsx'
import { ProblemNote } from './components/problem-note.tsx'
import { Shell } from './components/shell.tsx'
import { needsOf, rolesFor } from './navigation.ts'
import { optionalParamNames, useParam } from './page-params.ts'
import { pageRoutes } from './page-routes.ts'
import { switchWorkspace, useSession, type Workspace } from './session.tsx'
import { texts } from './texts.ts'
import { readSearch, searchText } from './view-models/filters.ts'

/** What is open beside a list is another page only in its address. */
const withoutOpen = Object.fromEntries(optionalParamNames.map((name) => [name, null]))

/** `home`: slug of the current workspace, for addresses that name none. */
export function createConsoleRouter(home: string) {
  const root = createRootRoute({ component: Root, notFoundComponent: NotFound })
  const workspace = createRoute({ getParentRoute: () => root, path: '/w/$workspace', component: WorkspacePage })
  const pages = pageRoutes.map(({ path, load }) =>
    createRoute({
      getParentRoute: () => workspace,
      path,
      component: lazyRouteComponent(async () => ({ default: await load() })),
      errorComponent: ({ error, reset }) => <ProblemNote error={error as Error} onTryAgain={reset} />,
    }),
  )
  // Links from the docs name no workspace: they open in the current one.
  const elsewhere = createRoute({
    getParentRoute: () => root,
    path: '$',
    beforeLoad: ({ location }) => {
      if (location.pathname.startsWith('/w/')) return
      throw redirect({ to: `/w/${home}${location.pathname}`, search: location.search, replace: true })
    },
    component: NotFound,
  })
  const start = createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: ({ location }) => {
      const { to, ...search } = location.search as Record<string, string>
      const path = to?.startsWith('/') && !to.startsWith('//') && !to.includes('\\') ? to : '/'
      const [pathname = '/', query = ''] = path.split('?', 2)
      throw redirect({ to: `/w/${home}${pathname}`, search: { ...search, ...readSearch(query) }, replace: true })
    },
  })
  return createRouter({
    routeTree: root.addChildren([workspace.addChildren(pages), start, elsewhere]),
    parseSearch: readSearch,
    stringifySearch: searchText,
    trailingSlash: 'never',
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultRemountDeps: ({ params }) => ({ ...params, ...withoutOpen }),
    notFoundMode: 'root',
  })
}

function Root() {
  return (
    <Shell>
      <Outlet />
    </Shell>
  )
}

function WorkspacePage() {
  const session = useSession()
  const slug = useParam('workspace')
  const path = useRouterState({ select: (state) => state.location.pathname })
    .split('/')
    .slice(3)
    .join('/')
  if (slug !== session.workspace.slug) return <OtherWorkspace slug={slug} path={path} />
  const needs = needsOf(path)
  if (needs !== null && !rolesFor(needs).includes(session.role)) {
    const words = texts.role
    return (
      <PlainPage
        icon="ban"
        title={words.needed}
        text={words.neededText(words.and(rolesFor(needs)), words[session.role])}
      />
    )
  }
  return <Outlet />
}

function OtherWorkspace({ slug, path }: { slug: string; path: string }) {
  const { workspace, workspaces } = useSession()
  const words = texts.workspace
  const stay = { label: words.stayIn(workspace.name), href: `/w/${workspace.slug}` }
  const other: Workspace | undefined = workspaces.find((one) => one.slug === slug)
  if (other === undefined)
    return <PlainPage icon="help" title={words.unknown} text={words.unknownText} actions={[stay]} />
  const go = { label: words.switchTo(other.name), onClick: () => void switchWorkspace(other, path) }
  return (
    <PlainPage
      icon="building"
      title={words.belongsTo(other.name)}
      text={words.belongsText(workspace.name)}
      actions={[go, stay]}
    />
  )
}

function NotFound() {
  const { notFound, notFoundText, toOverview } = texts.errors
  return <PlainPage icon="help" title={notFound} text={notFoundText} actions={[{ label: toOverview, href: '/' }]} />
}
