// Buttons, and links that look like them.
import { ActionIcon, Button as LibraryButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PagePath } from '../view-models/console-paths.ts'
import { Icon, type IconName } from './icon.tsx'
import { useWorkspacePath } from './route-link.tsx'

interface Look {
  /** `primary`: the one thing to do here; `danger`: something ends. */
  look?: 'primary' | 'quiet' | 'danger' | 'plain' | undefined
  icon?: IconName | undefined
  size?: 'xs' | 'sm' | 'md'
  children: ReactNode
}

const looks = {
  primary: { variant: 'filled' },
  quiet: { variant: 'default' },
  danger: { variant: 'filled', color: 'red' },
  plain: { variant: 'subtle' },
} as const

interface ButtonProps extends Look {
  onClick?: () => void
  type?: 'button' | 'submit'
  isRunning?: boolean
  /** A sentence: why it cannot be used now. */
  disabledBecause?: string | null | undefined
  'aria-expanded'?: boolean
  /** For a button whose words alone do not say what it is about. */
  label?: string
}

/** What is disabled stays reachable and says why. */
export function Button({
  look = 'quiet',
  icon,
  size = 'sm',
  isRunning = false,
  disabledBecause = null,
  ...o
}: ButtonProps) {
  const isOff = disabledBecause !== null
  return (
    <LibraryButton
      {...looks[look]}
      size={size}
      type={o.type ?? 'button'}
      loading={isRunning}
      leftSection={icon === undefined ? undefined : <Icon name={icon} />}
      aria-expanded={o['aria-expanded']}
      aria-label={o.label}
      data-disabled={isOff}
      aria-disabled={isOff ? true : undefined}
      title={isOff ? disabledBecause : undefined}
      onClick={(event) => (isOff ? event.preventDefault() : o.onClick?.())}
    >
      {o.children}
    </LibraryButton>
  )
}

/** `to`: path behind the workspace, such as `webhooks/new`. */
export function ButtonLink({ look = 'quiet', icon, size = 'sm', to, children }: Look & { to: PagePath }) {
  const path = useWorkspacePath(to)
  return (
    <LibraryButton
      {...looks[look]}
      size={size}
      leftSection={icon === undefined ? undefined : <Icon name={icon} />}
      renderRoot={(props) => <Link {...props} {...path} />}
    >
      {children}
    </LibraryButton>
  )
}

/** A button of which only the icon is seen; `label` is its name. */
export function IconButton({
  icon,
  label,
  onClick,
  size = 'md',
}: {
  icon: IconName
  label: string
  onClick: () => void
  size?: 'sm' | 'md' | 'lg'
}) {
  return (
    <ActionIcon variant="subtle" color="gray" size={size} aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} size={size === 'lg' ? 20 : 16} />
    </ActionIcon>
  )
}
