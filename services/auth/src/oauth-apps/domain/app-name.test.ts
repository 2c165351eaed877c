import { describe, expect, test } from '@jest/globals'
import { appNameFault } from './app-name.ts'

describe('S24, S44: the name of an app', () => {
  test.each([
    'Acme Sync',
    'Ünïcödé für Büros',
    'Отчёты Плюс',
    'Παραγγελίες',
    '広告レポート Pro',
    '광고 Sync',
    'हिन्दी रिपोर्ट',
    "O'Neill & Sons (EU)",
    'A|B = C+D, €5',
    'x'.repeat(50),
    'Words',
  ])('%s is taken', (name) => {
    expect(appNameFault(name)).toBeNull()
  })

  test.each([
    ['under 3 characters', 'ab', '3 to 50'],
    ['over 50 characters', 'x'.repeat(51), '3 to 50'],
    ['a control character', 'Acme\u0007Sync', 'not seen'],
    ['a line break', 'Acme\nSync', 'not seen'],
    ['U+0000', 'Acme\0Sync', 'not seen'],
    ['a bidirectional override', 'Acme \u202egnoS', 'not seen'],
    ['a bidirectional isolate', 'Acme \u2066Sync', 'not seen'],
    ['a zero-width space', 'Ac\u200bme', 'not seen'],
    ['a zero-width joiner', 'Ac\u200dme', 'not seen'],
    ['a soft hyphen', 'Ac\u00adme', 'not seen'],
    ['a Hangul filler, which is a letter', 'Ac\u3164me', 'not seen'],
    ['a lone surrogate', 'Ac\ud800me', 'not seen'],
    ['a private character', 'Acme \ue000', 'not seen'],
    ['a no-break space', 'Acme\u00a0Sync', 'no other symbols'],
    ['a tick', 'Acme ✓', 'no other symbols'],
    ['an emoji', 'Acme 🔒', 'no other symbols'],
    ['a root sign, which looks like a tick', 'Acme √', 'no other symbols'],
    ['a trade mark sign', 'Acme™', 'no other symbols'],
    ['markup', '<b>Acme</b>', 'no other symbols'],
    ['decomposed letters', 'Caf\u0065\u0301 Sync', 'normalisation'],
    ['full-width letters', 'Ａcme Sync', 'normalisation'],
    ['mathematical letters', '𝐀cme Sync', 'normalisation'],
    ['a space at its beginning', ' Acme', 'begin and end'],
    ['a space at its end', 'Acme ', 'begin and end'],
    ['two spaces in a row', 'Acme  Sync', 'begin and end'],
    ['marks heaped on a letter', 'Ac\u0335\u0336\u0337me', 'begin and end'],
    ['no letter at all', '...', 'letter or digit'],
    ['a Cyrillic letter among Latin ones', 'Аcme', 'different scripts'],
    ['a Greek letter among Latin ones', 'Acmε', 'different scripts'],
    ['Cherokee letters, which look like Latin ones', 'ᎪᏟᎷᎬ', 'different scripts'],
    ['our name', 'Workspace Data Service', 'this service'],
    ['our name within another', 'The Workspace-Data-Service Team', 'this service'],
    ['our name with look-alike digits', 'W0rkspace Data Serv1ce', 'this service'],
    ['our name with marks', 'Wórkspäce Dàta Sérvice', 'this service'],
    ['our short name', 'WDS Connect', 'this service'],
    ['our short name in Cyrillic letters', 'ԝԁѕ', 'this service'],
  ])('with %s is refused', (_what, name, reason) => {
    expect(appNameFault(name)).toContain(reason)
  })
})
