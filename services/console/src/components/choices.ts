// A box to tick. In a file of its own, so that a page loads only what it shows.
import * as library from '@mantine/core'

export const Checkbox = library.Checkbox
