// A dialog and a drawer: both hold the focus and give it back when they close (ui.md 6). Their frames come behind the page, so that no page waits
// for them.
import { lazy, Suspense, useEffect, useState } from 'react'
import type { DialogProps } from './dialog-frame.tsx'

const load = () => import('./dialog-frame.tsx')
const frames = {
  dialog: lazy(async () => ({ default: (await load()).DialogFrame })),
  drawer: lazy(async () => ({ default: (await load()).DrawerFrame })),
}

export const Dialog = (props: DialogProps) => <Opened {...props} as="dialog" />
export const Drawer = (props: DialogProps) => <Opened {...props} as="drawer" />

/** From the first opening on the frame stays, so that it gives the focus back. */
function Opened({ as, ...props }: DialogProps & { as: keyof typeof frames }) {
  const [wasOpened, setWasOpened] = useState(props.isOpen)
  if (props.isOpen && !wasOpened) setWasOpened(true)
  // What fails here is asked for again by the opening.
  useEffect(() => void load().catch(() => undefined), [])
  const Frame = frames[as]
  return wasOpened ? (
    <Suspense>
      <Frame {...props} />
    </Suspense>
  ) : null
}
