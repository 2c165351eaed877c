// After 412: both versions beside each other, field by field where they differ, and the person decides (ui.md 1).
import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { texts } from '../texts.ts'
import { fieldName } from '../view-models/faults.ts'
import { Notice } from './notice.tsx'

interface VersionConflictProps {
  /** The same members in both. */
  yours: object
  theirs: object
  onKeep: () => void
  onTake: () => void
}

const show = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

export function VersionConflict({ yours, theirs, onKeep, onTake }: VersionConflictProps) {
  const words = texts.errors
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  const others = theirs as Record<string, unknown>
  const differing = Object.entries(yours).filter(([name, value]) => show(value) !== show(others[name]))
  return (
    <div ref={place} tabIndex={-1} role="alert" className="wds-main">
      <Notice look="warning" title={words.changedMeanwhile}>
        <Stack gap="sm">
          <Text size="sm">{words.changedText}</Text>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">
                  <span className="wds-hidden">{words.field}</span>
                </Table.Th>
                <Table.Th scope="col">{words.yours}</Table.Th>
                <Table.Th scope="col">{words.theirs}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {differing.map(([name, value]) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row">{fieldName(name)}</Table.Th>
                  <Table.Td>{show(value)}</Table.Td>
                  <Table.Td>{show(others[name])}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Group gap="sm">
            <Button size="xs" onClick={onKeep}>
              {words.keepYours}
            </Button>
            <Button size="xs" variant="default" onClick={onTake}>
              {words.takeTheirs}
            </Button>
          </Group>
        </Stack>
      </Notice>
    </div>
  )
}
