// The frame of every page: one h1, which has the focus after navigation, the title of the tab, and what can be done at the top right.
import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { texts } from '../texts.ts'

let hasOpened = false

interface PageProps {
  title: string
  /** Of the tab, where the heading alone says too little. */
  tabTitle?: string
  lead?: ReactNode
  /** Beside the heading, such as a badge. */
  beside?: ReactNode
  actions?: ReactNode
  /** Above the heading: the way back. */
  above?: ReactNode
  children: ReactNode
}

export function Page({ title, tabTitle = title, lead, beside, actions, above, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // At the first page of a visit the browser decides.
    if (hasOpened) heading.current?.focus({ preventScroll: true })
    hasOpened = true
  }, [])
  useEffect(() => {
    document.title = texts.titleOf(tabTitle)
  }, [tabTitle])
  return (
    <Stack gap="lg" className="wds-page">
      <Stack gap="xs">
        {above}
        <Group justify="space-between" align="flex-start" gap="md">
          <Stack gap={4} className="wds-grow">
            <Group gap="sm">
              <Title order={1} ref={heading} tabIndex={-1} className="wds-heading">
                {title}
              </Title>
              {beside}
            </Group>
            {lead !== undefined && (
              <Text c="dimmed" className="wds-measure">
                {lead}
              </Text>
            )}
          </Stack>
          {actions !== undefined && <Group gap="sm">{actions}</Group>}
        </Group>
      </Stack>
      {children}
    </Stack>
  )
}
