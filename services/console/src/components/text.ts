// Words on a page.
import * as library from '@mantine/core'

export const Text = library.Text
export const Title = library.Title
export const Code = library.Code
export const Anchor = library.Anchor
/** For readers of the screen only. */
export const Hidden = library.VisuallyHidden
