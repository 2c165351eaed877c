// The frame around every page: navigation, workspace, account, notes that concern all pages.
import { Burger, Group } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useSession } from '../session.tsx'
import { texts } from '../texts.ts'
import { AccountMenu } from './account-menu.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { LiveRegion } from './live-region.tsx'
import { Navigation } from './navigation-list.tsx'
import { ShellNotes } from './shell-notes.tsx'
import { ShortcutsProvider } from './shortcuts.tsx'
import { WorkspaceMenu } from './workspace-menu.tsx'

export function Shell({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const { workspace } = useSession()
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu of a small screen
  useEffect(() => setOpen(false), [pathname])
  const label = isOpen ? texts.menu.close : texts.menu.open
  return (
    <ShortcutsProvider>
      <a className="wds-skip" href="#content">
        {texts.skip}
      </a>
      <header className="wds-header">
        <Group gap="sm" wrap="nowrap" className="wds-shrink">
          <Burger
            opened={isOpen}
            onClick={() => setOpen(!isOpen)}
            hiddenFrom="sm"
            size="sm"
            aria-label={label}
            aria-expanded={isOpen}
          />
          <Link to={`/w/${workspace.slug}` as string} className="wds-brand" aria-label={texts.product}>
            <Logo />
            <span className="wds-brand-name">{texts.product}</span>
          </Link>
          <span className="wds-slash" aria-hidden="true">
            /
          </span>
          <WorkspaceMenu />
        </Group>
        <AccountMenu />
      </header>
      <div className="wds-below">
        <nav className="wds-navbar" aria-label={texts.menu.pages} data-open={isOpen}>
          <div>
            <Navigation />
          </div>
        </nav>
        <main id="content" tabIndex={-1} className="wds-main">
          <ShellNotes />
          <div className="wds-content">
            <ErrorBoundary resetKey={pathname}>{children}</ErrorBoundary>
          </div>
        </main>
      </div>
      <LiveRegion />
    </ShortcutsProvider>
  )
}

function Logo() {
  return (
    <svg viewBox="0 0 24 24" width="26" height="26" aria-hidden="true">
      <rect width="24" height="24" rx="6" fill="#0f5f54" />
      <path d="m7 16v-3m5 3v-8m5 8v-5" fill="none" stroke="#fff" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}
