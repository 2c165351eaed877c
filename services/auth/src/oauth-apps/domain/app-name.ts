// Decides which names an app may have, so that a name on the consent page reads as what it is (auth.md 4.1, S44): no hidden characters, no
// letters of one script that pass for those of another (UTS 39, "highly restrictive"), no marks of trust, not our own name.

import { hidesCharacters, isOurName } from '../../names/domain/shown-name.ts'

export const nameCharactersMin = 3
export const nameCharactersMax = 50

/** Letters, digits, punctuation and a few signs. No other symbols: a tick, a shield or ™ would read as our word for the app. */
const allowed = /^[\p{L}\p{M}\p{N}\p{P}\p{Sc} +=|]*$/u

/** Scripts in everyday use (UAX 31, table 5), each alone. */
const scripts = [
  ...['Arabic', 'Armenian', 'Bengali', 'Bopomofo', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek'],
  ...['Gujarati', 'Gurmukhi', 'Han', 'Hangul', 'Hebrew', 'Hiragana', 'Kannada', 'Katakana', 'Khmer', 'Lao', 'Latin'],
  ...['Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan'],
]
/** Scripts that are written together. */
const together = ['Latin Han Hiragana Katakana', 'Latin Han Bopomofo', 'Latin Han Hangul'].map((set) => set.split(' '))

const ofScripts = [...scripts.map((script) => [script]), ...together].map((set) => {
  const members = ['Common', 'Inherited', ...set].map((script) => `\\p{scx=${script}}`).join('')
  return new RegExp(`^[${members}]*$`, 'u')
})

/** Why an app may not have this name, as a sentence; null: it may. */
export function appNameFault(name: string): string | null {
  const characters = [...name].length
  if (characters < nameCharactersMin || characters > nameCharactersMax) {
    return `Must have ${nameCharactersMin} to ${nameCharactersMax} characters.`
  }
  if (hidesCharacters(name)) return 'Must not hold characters that are not seen.'
  if (!allowed.test(name)) return 'May hold letters, digits, single spaces and punctuation, no other symbols.'
  // NFC, and no letters that stand for others, such as full-width ones.
  if (name.normalize('NFKC') !== name) return 'Must be in Unicode normalisation form NFKC.'
  if (/^[ \p{M}]| $| {2}|\p{Mn}{3}/u.test(name)) {
    return 'Must begin and end with a letter, digit or sign, with single spaces and at most two marks on a letter.'
  }
  if (!/[\p{L}\p{N}]/u.test(name)) return 'Must hold a letter or digit.'
  if (!ofScripts.some((script) => script.test(name))) return 'Must not mix letters of different scripts.'
  return isOurName(name) ? 'Must not be the name of this service.' : null
}
