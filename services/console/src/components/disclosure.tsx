// A part that opens and closes by its heading.
import { Text, UnstyledButton } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { Icon } from './icon.tsx'

export function Disclosure({ title, children }: { title: ReactNode; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <div>
      <UnstyledButton
        className="wds-menu-button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <Text span size="sm">
          {title}
        </Text>
      </UnstyledButton>
      <div id={id} hidden={!isOpen} className="wds-disclosed">
        {isOpen && children}
      </div>
    </div>
  )
}
