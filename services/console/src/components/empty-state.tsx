// Nothing to show: why, and the next step. "None yet" and "none match" are different texts (ui.md 6).
import { Center, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

export function EmptyState({
  icon = 'inbox',
  title,
  text,
  children,
}: {
  icon?: IconName
  title?: string
  text?: ReactNode
  children?: ReactNode
}) {
  return (
    <Center p="xl">
      <Stack align="center" gap="sm" className="wds-measure">
        <span className="wds-empty-icon">
          <Icon name={icon} size={28} />
        </span>
        {title !== undefined && (
          <Text fw={600} ta="center">
            {title}
          </Text>
        )}
        {text !== undefined && (
          <Text c="dimmed" ta="center" size="sm">
            {text}
          </Text>
        )}
        {children}
      </Stack>
    </Center>
  )
}
