// A note that is no error: a hint, a warning, something that was done.
import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

const looks = {
  info: ['blue', 'help'],
  warning: ['yellow', 'alert'],
  done: ['green', 'check'],
} as const satisfies Record<string, [string, IconName]>

export function Notice({
  look = 'info',
  title,
  children,
}: {
  look?: keyof typeof looks
  title?: string
  children?: ReactNode
}) {
  const [color, icon] = looks[look]
  return (
    <Alert color={color} variant="light" role="note" icon={<Icon name={icon} size={18} />} title={title}>
      {children}
    </Alert>
  )
}
