// Passwords that are guessed first (security.md 3): the list of zxcvbn (MIT), 49,233 passwords by how often leaks held them, and what people
// make of them to reach a length. 308 of the list itself have an allowed length; with the makings that `isCommon` knows, far more than the
// 3,000 commonest of that length.
import list from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' }

/** Characters of a password, counted as people count them. */
export const passwordLength = { min: 12, max: 128 } as const

const common = new Set(list)
const commonest = new Set(list.slice(0, 3_000))

/** In whatever case: one of the list, one with digits or signs at its ends, digits alone, one written several times, two of the commonest in a row. */
function isCommon(password: string): boolean {
  const text = password.toLowerCase()
  if (common.has(text) || /^\d+$/.test(text)) return true
  const unit = /^(.+?)\1+$/u.exec(text)?.[1]
  if (unit !== undefined && (unit.length < 4 || common.has(unit))) return true
  return [...text].some((_, at) => isMade(text.slice(0, at), text.slice(at)))
}

/** Of two parts: a word of the list with an ending without letters, before or behind it; or two of the commonest words. */
function isMade(head: string, tail: string): boolean {
  if ((isWord(head) && !hasLetters(tail)) || (isWord(tail) && !hasLetters(head))) return true
  return commonest.has(head) && commonest.has(tail)
}

const isWord = (part: string) =>
  part.length > 3 && (common.has(part) || common.has(part.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')))
const hasLetters = (part: string) => /\p{L}/u.test(part)

/** Words of this product and its pages, which everybody who sees them would try (ASVS 6.1.2). */
const productWords = [
  ...['workspace', 'data', 'service', 'affiliate', 'marketing', 'partner', 'campaign', 'webhook'],
  ...['owner', 'admin', 'administrator', 'member', 'viewer', 'invitation'],
]

/** Two texts that somebody would type for one another are one. */
const folded = (text: string) => text.normalize('NFKC').toLowerCase()

/** Is next to nothing left of it without words of the product and of what somebody is called by? */
function isOfNames(password: string, names: readonly string[]): boolean {
  const words = names.flatMap((name) => {
    const text = folded(name.trim().slice(0, 254))
    // An address whole and by its halves, too: its words may be too short to count.
    return [text, ...text.split('@'), ...text.split(/[^\p{L}\p{N}]+/u)]
  })
  const longestFirst = [...productWords, ...words]
    .filter((word) => word.length > 2)
    .sort((one, other) => other.length - one.length)
  const text = folded(password)
  const left = longestFirst.reduce((rest, word) => rest.replaceAll(word, ' '), text)
  return left !== text && left.replace(/[^\p{L}]+/gu, '').length < 4
}

/**
 * What is wrong with a new password, or null. It is taken verbatim: no character is refused, trimmed or changed. `names`: address and name of
 * its person, and names of the person's workspaces.
 */
export function refusalOfPassword(password: string, names: readonly string[]): string | null {
  const length = [...password].length
  if (length < passwordLength.min || length > passwordLength.max) {
    return `Use ${passwordLength.min} to ${passwordLength.max} characters.`
  }
  if (isCommon(password)) return 'This password is one of those that are guessed first. Choose another.'
  return isOfNames(password, names)
    ? 'This password is made of your name, your address, your workspace or our name. Choose another.'
    : null
}
