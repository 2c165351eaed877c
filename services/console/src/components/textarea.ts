// A field of several lines. It stands alone, so that pages without one do not load it.
import * as library from '@mantine/core'

export const Textarea = library.Textarea
