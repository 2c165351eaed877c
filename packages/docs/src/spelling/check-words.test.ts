// Plants misspelt words and words that are not ours, and sees each; names, code and addresses are none.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import dictionary from 'dictionary-en-gb'
import nspell from 'nspell'
import { faultsOfPage, readWordList } from './check-words.ts'

const list = readWordList(readFileSync(join(import.meta.dirname, '../../spelling/words.txt'), 'utf8'))
const speller = nspell(dictionary)
const judged = (text: string) => faultsOfPage(text, list, (word) => speller.correct(word))

describe('a page is told', () => {
  test.each([
    ['A recieved event.', '1: recieved'],
    ['One\n\nThe color of it.', '3: color'],
    ['It is organized so.', '1: organized'],
    ["The workspaces' bahviour", '1: bahviour'],
    ['A webhook\nendpoint fails.', '1: webhook endpoint: we say subscription, or endpoint for its URL alone'],
    ['```sh\ncolor\n```\ncolor', '4: color'],
    ['It was Redelivered.', '1: redelivered: we say replayed'],
  ])('%j', (text, fault) => expect(judged(text)).toContain(fault))
})

describe('a page may have', () => {
  test.each([
    'The colour of an event, organised by its workspace’s name.',
    'Canceled runs of the catalog; Authorization and authorize are words of OAuth.',
    '`color` and ``colr`` in code, [a link](../colr.md), https://colr.example/colr, <colr>',
    '```text output\ncolr\n```',
    '<!-- sequence: colr\ncolr -> colr: colr\n-->',
    'OpenAPI, DeliveriesHeld, APIs, macOS, services/colr/main.ts, --colr, colr_id and decision 114',
  ])('%j', (text) => expect(judged(text)).toEqual([]))
})

test('the list refuses what is neither a word nor a pair', () => {
  expect(() => readWordList('word\ntwo words\n')).toThrow('line 2: two words')
})
