// One of two or three, side by side. In a file of its own, so that a page loads only what it shows.
import * as library from '@mantine/core'

export const SegmentedControl = library.SegmentedControl
