// Shortcuts of one key (ui.md 6): off in fields and dialogs, listed by `?`, and switched off for good by whoever wants that.
import { Group, Kbd, Stack, Switch, Table } from '@mantine/core'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { texts } from '../texts.ts'
import { Dialog } from './dialog.tsx'

interface Shortcut {
  key: string
  label: string
  act: () => void
}

interface Registry {
  add(shortcut: Shortcut): () => void
  openHelp(): void
}

const Shortcuts = createContext<Registry | null>(null)
const storageKey = 'wds-shortcuts'

/** Acts on the key while the component is there; the last one of a key counts. */
export function useShortcut(key: string, label: string, act: () => void): void {
  const registry = useContext(Shortcuts)
  const latest = useRef(act)
  latest.current = act
  useEffect(() => registry?.add({ key, label, act: () => latest.current() }), [registry, key, label])
}

/** Opens the list. */
export function useShortcutHelp(): () => void {
  const registry = useContext(Shortcuts)
  return () => registry?.openHelp()
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName) ||
    target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null)

export function ShortcutsProvider({ children }: { children: ReactNode }) {
  const [known, setKnown] = useState<readonly Shortcut[]>([])
  const [isOpen, setOpen] = useState(false)
  const [isOn, setOn] = useState(() => localStorage.getItem(storageKey) !== 'off')
  const registry = useMemo<Registry>(
    () => ({
      add: (shortcut) => {
        setKnown((list) => [...list, shortcut])
        return () => setKnown((list) => list.filter((one) => one !== shortcut))
      },
      openHelp: () => setOpen(true),
    }),
    [],
  )
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isOn || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const found = event.key === '?' ? { act: () => setOpen(true) } : known.findLast(({ key }) => key === event.key)
      if (found === undefined) return
      event.preventDefault()
      found.act()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [known, isOn])
  const change = (on: boolean) => {
    setOn(on)
    localStorage.setItem(storageKey, on ? 'on' : 'off')
  }
  return (
    <Shortcuts value={registry}>
      {children}
      <Dialog title={texts.shortcuts.title} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Stack>
          <Switch
            label={texts.shortcuts.off}
            description={texts.shortcuts.offHint}
            checked={isOn}
            onChange={(event) => change(event.currentTarget.checked)}
          />
          <KeyTable known={known} />
        </Stack>
      </Dialog>
    </Shortcuts>
  )
}

function KeyTable({ known }: { known: readonly Shortcut[] }) {
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
