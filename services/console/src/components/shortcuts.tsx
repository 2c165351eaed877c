// Shortcuts of one key (ui.md 6): off in fields and dialogs, listed by `?`, and switched off for good by whoever wants that.
import { createContext, lazy, type ReactNode, Suspense, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { ShortcutName } from './shortcut-list.tsx'

interface Shortcut extends ShortcutName {
  act: () => void
}

interface Registry {
  add(shortcut: Shortcut): () => void
  openHelp(): void
}

const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list.tsx')).ShortcutList }))

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
  // Its list is loaded when it is first opened, and stays, so that it gives the focus back.
  const [list, setList] = useState<'none' | 'open' | 'closed'>('none')
  const [isOn, setOn] = useState(() => localStorage.getItem(storageKey) !== 'off')
  const registry = useMemo<Registry>(
    () => ({
      add: (shortcut) => {
        setKnown((list) => [...list, shortcut])
        return () => setKnown((list) => list.filter((one) => one !== shortcut))
      },
      openHelp: () => setList('open'),
    }),
    [],
  )
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isOn || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const found = event.key === '?' ? { act: () => setList('open') } : known.findLast(({ key }) => key === event.key)
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
      {list !== 'none' && (
        <Suspense>
          <ShortcutList
            known={known}
            isOn={isOn}
            isOpen={list === 'open'}
            onSwitch={change}
            onClose={() => setList('closed')}
          />
        </Suspense>
      )}
    </Shortcuts>
  )
}
