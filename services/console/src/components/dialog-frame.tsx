// The frames of dialogs and drawers, by the component library: loaded when the first one opens. Their heads are no landmarks, so they are put
// together here.
import { Drawer as LibraryDrawer, Modal } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useLayoutEffect } from 'react'
import { texts } from '../texts.ts'

export interface DialogProps {
  title: ReactNode
  isOpen: boolean
  onClose: () => void
  children: ReactNode
  size?: 'sm' | 'md' | 'lg' | 'xl'
  /** False: only its own buttons close it. */
  canClose?: boolean
}

/** What had the focus before the first of several dialogs that follow each other, such as a question and the secret that it brought. */
let firstOpener: HTMLElement | null = null
let openDialogs = 0

/** The library gives the focus back neither behind a dialog that another one follows nor behind one that goes with its page part or whose code came behind the click. */
function useFocusReturn(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return
    const { activeElement: active } = document
    const opener = active instanceof HTMLElement && active !== document.body ? active : firstOpener
    if (opener?.closest('[role="dialog"]') === null) firstOpener = opener
    openDialogs += 1
    return () => {
      openDialogs -= 1
      // Once the dialog has let the focus go.
      setTimeout(() => {
        const target = opener?.isConnected ? opener : firstOpener
        if (openDialogs === 0 || target?.closest('[role="dialog"]')) target?.focus({ preventScroll: true })
      })
    }
  }, [isOpen])
}

/**
 * Tab in a date is the browser's alone: it has stops of its own. The library looks after each of them where the focus went, and on a busy
 * page so late that it takes back the next Tab, too. Nothing is lost without it: a date stands between Close and the buttons of its form.
 */
function leaveDateToBrowser(event: KeyboardEvent): void {
  const { target } = event
  if (event.key !== 'Tab' || !(target instanceof HTMLInputElement)) return
  if (['date', 'datetime-local', 'month'].includes(target.type)) event.stopPropagation()
}

export function DialogFrame({ title, isOpen, onClose, children, size = 'md', canClose = true }: DialogProps) {
  useFocusReturn(isOpen)
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      returnFocus={false}
      size={size}
      centered
      // What was typed goes with it: only what says so closes it.
      closeOnClickOutside={false}
      closeOnEscape={canClose}
    >
      <Modal.Overlay />
      <Modal.Content>
        <div className="wds-dialog-head">
          <Modal.Title className="wds-dialog-title">{title}</Modal.Title>
          {canClose && <Modal.CloseButton aria-label={texts.shortcuts.close} />}
        </div>
        <Modal.Body onKeyDown={leaveDateToBrowser}>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

export function DrawerFrame({ title, isOpen, onClose, children }: DialogProps) {
  useFocusReturn(isOpen)
  return (
    <LibraryDrawer.Root opened={isOpen} onClose={onClose} returnFocus={false} position="right" size="xl">
      <LibraryDrawer.Overlay />
      <LibraryDrawer.Content>
        <div className="wds-dialog-head">
          <LibraryDrawer.Title className="wds-dialog-title">{title}</LibraryDrawer.Title>
          <LibraryDrawer.CloseButton aria-label={texts.shortcuts.close} />
        </div>
        <LibraryDrawer.Body onKeyDown={leaveDateToBrowser}>{children}</LibraryDrawer.Body>
      </LibraryDrawer.Content>
    </LibraryDrawer.Root>
  )
}
