// Decides what no name may be that strangers read on our pages, of an app or of a workspace (security.md XO12): characters that are not
// seen or turn the text round, and the name of this service.

const ownName = 'workspacedataservice'
const ownShortName = 'wds'
/** Digits and letters of other scripts that pass for the Latin letters of our name. */
const lookAlikes: Record<string, string> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  $: 's',
  '|': 'i',
  l: 'i',
  а: 'a',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  і: 'i',
  ӏ: 'i',
  к: 'k',
  о: 'o',
  р: 'p',
  г: 'r',
  ѕ: 's',
  т: 't',
  ν: 'v',
  ѵ: 'v',
  ԝ: 'w',
  α: 'a',
  ε: 'e',
  ι: 'i',
  κ: 'k',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  ω: 'w',
}

/** The words of a name, as they are seen at a glance. */
function wordsOf(name: string): string[] {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const seen = [...plain].map((character) => lookAlikes[character] ?? character).join('')
  return seen.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Whether a name holds characters that are not seen: controls, line breaks, marks of direction, joiners, unassigned ones. */
export function hidesCharacters(name: string): boolean {
  return /\p{Default_Ignorable_Code_Point}|\p{C}|\p{Zl}|\p{Zp}/u.test(name)
}

/** Whether a name reads as that of this service. */
export function isOurName(name: string): boolean {
  const words = wordsOf(name)
  return words.join('').includes(ownName) || words.includes(ownShortName)
}
