// A part of a page with a line around it and, mostly, a heading.
import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface CardProps {
  title?: string
  hint?: ReactNode
  actions?: ReactNode
  children?: ReactNode
  /** Of its heading; 2 unless told. */
  level?: 2 | 3
  /** False: what is inside reaches to the line, such as a table. */
  isPadded?: boolean
}

export function Card({ title, hint, actions, children, level = 2, isPadded = true }: CardProps) {
  const hasHead = title !== undefined || actions !== undefined
  return (
    <Paper withBorder component="section" className="wds-card" aria-label={title}>
      {hasHead && (
        <Group justify="space-between" align="flex-start" p="md" pb={isPadded ? 0 : 'sm'} gap="sm">
          <Stack gap={2} className="wds-grow">
            {title !== undefined && (
              <Title order={level} size="h3">
                {title}
              </Title>
            )}
            {hint !== undefined && (
              <Text size="sm" c="dimmed">
                {hint}
              </Text>
            )}
          </Stack>
          {actions}
        </Group>
      )}
      <div className={isPadded ? 'wds-padded' : ''}>{children}</div>
    </Paper>
  )
}
