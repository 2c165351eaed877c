// Links within the workspace: pages name what lies behind `/w/{slug}/`, and never the workspace itself.
import { Anchor } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../session.tsx'
import type { PagePath } from '../view-models/console-paths.ts'
import { readSearch } from '../view-models/filters.ts'

/** For the router's own `Link`. */
export function useWorkspacePath(to: PagePath): WorkspacePath {
  const { workspace } = useSession()
  return workspacePath(workspace.slug, to)
}

/** Opens a page as a link to it would, or leaves the scroll position as it is. */
export function useOpenPage(): (to: PagePath, options?: { resetScroll: false }) => void {
  const { workspace } = useSession()
  const navigate = useNavigate()
  return (to, options) => void navigate({ ...workspacePath(workspace.slug, to), ...options })
}

/** The router is made of a table, so it has no types of its own for what may stand in `search`. */
type WorkspacePath = { to: string; search: never }

function workspacePath(slug: string, page: PagePath): WorkspacePath {
  const [path = '', search = ''] = page.split('?', 2)
  return { to: `/w/${slug}/${path}`.replace(/\/$/, ''), search: readSearch(search) as never }
}

interface RouteLinkProps {
  to: PagePath
  children: ReactNode
  /** For a link whose text does not say where it leads. */
  label?: string
  className?: string
}

export function RouteLink({ to, children, label, className }: RouteLinkProps) {
  const path = useWorkspacePath(to)
  return (
    <Anchor inherit aria-label={label} className={className} renderRoot={(props) => <Link {...props} {...path} />}>
      {children}
    </Anchor>
  )
}
