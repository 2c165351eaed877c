// What is typed into the form of an API key, and how a key is named without showing it.
import { isScope, type Scope } from '@wds/contracts/scopes'

export const keyLives = ['30', '90', '365', 'never'] as const
export type KeyLife = (typeof keyLives)[number]

export interface KeyDraft {
  name: string
  /** None is preset. */
  scopes: Scope[]
  /** One per row; an empty row counts for nothing, no row is anywhere. */
  cidrs: string[]
  /** Days, of a new key alone. */
  life: KeyLife
}

export const emptyKeyDraft: KeyDraft = { name: '', scopes: [], cidrs: [''], life: '90' }

export const cidrsMax = 20

interface Key {
  name: string
  scopes: string[]
  cidrs: string[]
}

export function draftOfKey({ name, scopes, cidrs }: Key): KeyDraft {
  return { name, scopes: scopes.filter(isScope), cidrs: cidrs.length === 0 ? [''] : [...cidrs], life: '90' }
}

/** What can be changed later, too. */
export function fieldsOfKey({ name, scopes, cidrs }: KeyDraft) {
  return { name: name.trim(), scopes, cidrs: cidrs.map((cidr) => cidr.trim()).filter((cidr) => cidr !== '') }
}

export function newKeyOf(draft: KeyDraft) {
  const { life } = draft
  return { ...fieldsOfKey(draft), expires_in_days: life === 'never' ? null : (Number(life) as 30 | 90 | 365) }
}

/** Of each row the fault of an answer, whose pointers count without the empty rows. */
export function rowFaultsOf(rows: readonly string[], faultAt: (place: number) => string | null): (string | null)[] {
  let place = 0
  return rows.map((row) => {
    if (row.trim() === '') return null
    place += 1
    return faultAt(place - 1)
  })
}

/** `wdk_live_cFR7…OvRa`: what is known of a key that was shown once. */
export const maskedKey = ({ prefix, last4 }: { prefix: string; last4: string }): string => `${prefix}…${last4}`
