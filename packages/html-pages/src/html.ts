// Builds HTML that is escaped by construction: a value put into a template becomes text or the text of a quoted attribute, never markup.
// Markup comes from the literal parts of a template alone, so an Html value can only hold what a source file of ours says.

/** Markup made by the `html` tag; nothing else can make one. */
export class Html {
  readonly #markup: string
  private constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }

  /** See `html`. */
  static fromTemplate(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
    const places = placesOf(strings)
    let markup = strings[0] ?? ''
    for (const [index, value] of values.entries()) markup += placed(value, places[index]) + strings[index + 1]
    return new Html(markup)
  }
}

/** What may stand in a template. Null, undefined and false are left out, so that `condition && html` reads well. */
export type HtmlValue = string | number | Html | null | undefined | false | readonly HtmlValue[]

/**
 * Template tag. In the text of an element strings are escaped and Html goes in as it is; in a double-quoted attribute only strings and
 * numbers may stand; elsewhere in a tag only Html (a whole attribute).
 * @throws TypeError when a value stands where it could become markup: a mistake of the template, found by the first test that makes it.
 */
export const html = Html.fromTemplate

type Place = 'text' | 'attribute' | 'tag'

const knownPlaces = new WeakMap<TemplateStringsArray, Place[]>()

/** Where each value of a template stands, read off its literal parts; these hold no comments and no script or style elements. */
function placesOf(strings: TemplateStringsArray): Place[] {
  const known = knownPlaces.get(strings)
  if (known !== undefined) return known
  let place: Place = 'text'
  const places = strings.slice(0, -1).map((literal) => {
    for (const character of literal) place = next(place, character)
    return place
  })
  knownPlaces.set(strings, places)
  return places
}

function next(place: Place, character: string): Place {
  if (place === 'text') return character === '<' ? 'tag' : 'text'
  if (character === '"') return place === 'tag' ? 'attribute' : 'tag'
  return place === 'tag' && character === '>' ? 'text' : place
}

function placed(value: HtmlValue, place: Place | undefined): string {
  if (value === null || value === undefined || value === false) return ''
  if (Array.isArray(value)) return value.map((one: HtmlValue) => placed(one, place)).join('')
  if (value instanceof Html) {
    if (place === 'attribute') throw new TypeError('html: markup in an attribute')
    return value.toString()
  }
  if (place === 'tag') throw new TypeError('html: text in a tag, outside a quoted attribute')
  return escaped(String(value))
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
