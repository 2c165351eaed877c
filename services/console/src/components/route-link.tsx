// Links within the workspace: pages name what lies behind `/w/{slug}/`, and never the workspace itself.
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../session.tsx'
import { readSearch } from '../view-models/filters.ts'

/** For the router's own `Link` and `navigate`. */
export function useWorkspacePath(to: string): { to: string; search: Record<string, string> } {
  const { workspace } = useSession()
  return workspacePath(workspace.slug, to)
}

/** `to`: such as `webhooks?status=failed`. */
export function workspacePath(slug: string, to: string): { to: string; search: Record<string, string> } {
  const [path = '', search = ''] = to.split('?', 2)
  return { to: `/w/${slug}/${path}`.replace(/\/$/, ''), search: readSearch(search) }
}

interface RouteLinkProps {
  to: string
  children: ReactNode
  /** For a link whose text does not say where it leads. */
  label?: string
  className?: string
}

export function RouteLink({ to, children, label, className }: RouteLinkProps) {
  const path = useWorkspacePath(to)
  return (
    <Anchor
      inherit
      aria-label={label}
      className={className}
      renderRoot={(props) => <Link {...props} {...(path as object)} />}
    >
      {children}
    </Anchor>
  )
}
