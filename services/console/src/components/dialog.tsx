// A dialog and a drawer: both hold the focus and give it back when they close (ui.md 6). Their heads are no landmarks, so they are put together here.
import { Drawer as LibraryDrawer, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'

interface DialogProps {
  title: ReactNode
  isOpen: boolean
  onClose: () => void
  children: ReactNode
  size?: 'sm' | 'md' | 'lg' | 'xl'
  /** False: only its own buttons close it. */
  canClose?: boolean
}

export function Dialog({ title, isOpen, onClose, children, size = 'md', canClose = true }: DialogProps) {
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      size={size}
      centered
      closeOnClickOutside={canClose}
      closeOnEscape={canClose}
    >
      <Modal.Overlay />
      <Modal.Content>
        <div className="wds-dialog-head">
          <Modal.Title className="wds-dialog-title">{title}</Modal.Title>
          {canClose && <Modal.CloseButton aria-label={texts.shortcuts.close} />}
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

export function Drawer({ title, isOpen, onClose, children }: DialogProps) {
  return (
    <LibraryDrawer.Root opened={isOpen} onClose={onClose} position="right" size="xl">
      <LibraryDrawer.Overlay />
      <LibraryDrawer.Content>
        <div className="wds-dialog-head">
          <LibraryDrawer.Title className="wds-dialog-title">{title}</LibraryDrawer.Title>
          <LibraryDrawer.CloseButton aria-label={texts.shortcuts.close} />
        </div>
        <LibraryDrawer.Body>{children}</LibraryDrawer.Body>
      </LibraryDrawer.Content>
    </LibraryDrawer.Root>
  )
}
