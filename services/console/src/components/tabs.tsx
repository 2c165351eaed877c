// Tabs that are links: each has an address of its own.
import { Link } from '@tanstack/react-router'
import type { PagePath } from '../view-models/console-paths.ts'
import { useWorkspacePath } from './route-link.tsx'

export interface TabLink {
  label: string
  /** Path behind the workspace. */
  to: PagePath
  isCurrent: boolean
}

export function TabLinks({ label, tabs }: { label: string; tabs: readonly TabLink[] }) {
  return (
    <nav aria-label={label} className="wds-tabs">
      {tabs.map((tab) => (
        <Tab key={tab.to} {...tab} />
      ))}
    </nav>
  )
}

function Tab({ label, to, isCurrent }: TabLink) {
  const path = useWorkspacePath(to)
  return (
    <Link {...path} activeOptions={{ exact: true }} className="wds-tab" aria-current={isCurrent ? 'page' : undefined}>
      {label}
    </Link>
  )
}
