// The list of the shortcuts of one key, and their switch.
import { Group, Kbd, Stack, Switch, Table } from '@mantine/core'
import { texts } from '../texts.ts'
import { Dialog } from './dialog.tsx'

/** A key and what it does. */
export interface ShortcutName {
  key: string
  label: string
}

interface ShortcutListProps {
  isOpen: boolean
  known: readonly ShortcutName[]
  isOn: boolean
  onSwitch: (isOn: boolean) => void
  onClose: () => void
}

export function ShortcutList({ isOpen, known, isOn, onSwitch, onClose }: ShortcutListProps) {
  const words = texts.shortcuts
  return (
    <Dialog title={words.title} isOpen={isOpen} onClose={onClose}>
      <Stack>
        <Switch
          label={words.off}
          description={words.offHint}
          checked={isOn}
          onChange={(event) => onSwitch(event.currentTarget.checked)}
        />
        <KeyTable known={known} />
      </Stack>
    </Dialog>
  )
}

function KeyTable({ known }: { known: readonly ShortcutName[] }) {
  const { help, open, close } = texts.shortcuts
  const always = [
    { key: '?', label: help },
    { key: 'Enter', label: open },
    { key: 'Esc', label: close },
  ]
  const rows = new Map([...always, ...known].map(({ key, label }) => [key, label]))
  return (
    <Table>
      <Table.Tbody>
        {[...rows].map(([key, label]) => (
          <Table.Tr key={key}>
            <Table.Th scope="row" fw={400}>
              {label}
            </Table.Th>
            <Table.Td>
              <Group justify="flex-end">
                <Kbd>{key}</Kbd>
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
