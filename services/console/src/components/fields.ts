// Fields of forms that most pages need. Each has a label, and its error beside it. Rarer ones have files of their own, which other pages need not load.
import * as library from '@mantine/core'

export const TextInput = library.TextInput

/** Of fields that stand beside each other: what explains them stands below, so that the fields are in one line. */
export const hintBelow: { inputWrapperOrder: ('label' | 'input' | 'description' | 'error')[] } = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'],
}
