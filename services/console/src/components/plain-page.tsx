// A page without the shell or in its place: not found, another workspace's, a role that is missing.
import { Group, Button as LibraryButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Card } from './card.tsx'
import { EmptyState } from './empty-state.tsx'
import type { IconName } from './icon.tsx'
import { Page } from './page.tsx'

interface PlainPageProps {
  title: string
  text: string
  icon: IconName
  actions?: readonly { label: string; href?: string; onClick?: () => void }[]
  children?: ReactNode
}

export function PlainPage({ title, text, icon, actions = [], children }: PlainPageProps) {
  return (
    <Page title={title}>
      <Card>
        <EmptyState icon={icon} text={text}>
          {children}
          <Group>
            {actions.map(({ label, href, onClick }, nth) =>
              href === undefined ? (
                <LibraryButton key={label} variant={nth === 0 ? 'filled' : 'default'} onClick={onClick}>
                  {label}
                </LibraryButton>
              ) : (
                <LibraryButton key={label} variant={nth === 0 ? 'filled' : 'default'} component="a" href={href}>
                  {label}
                </LibraryButton>
              ),
            )}
          </Group>
        </EmptyState>
      </Card>
    </Page>
  )
}
