// Boxes that arrange others. Pages arrange with these and know no library.
import * as library from '@mantine/core'

/** One below the other. */
export const Stack = library.Stack
/** One beside the other, wrapping. */
export const Group = library.Group
