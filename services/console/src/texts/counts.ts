// Numbers in sentences.

/** `1,284`. */
export const numberText = (count: number, locale = 'en'): string => new Intl.NumberFormat(locale).format(count)

/** `1 run`, `1,284 runs`; `many` where an s does not make the plural. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${numberText(count)} ${count === 1 ? one : many}`
