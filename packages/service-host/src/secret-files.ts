// Reads secrets from files. A file that cannot be used is told by the name of its setting, never by its path or content.
import { readKeyFile } from '@wds/envelope-encryption/envelope-encryption'
import { EnvelopeError } from '@wds/envelope-encryption/envelope-error'
import { readSecretText } from '@wds/settings/secret-text'
import { SettingsError } from '@wds/settings/settings'

/** 32 characters hold 160 random bits in base32 and more in every denser alphabet (security.md 3). */
const tokenCharactersMin = 32

/** The 32 bytes of a key file. Throws `SettingsError`. */
export function readKey(setting: string, path: string): Buffer {
  try {
    return readKeyFile(path)
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error
    throw refused(setting, error.message.replace(`the key file ${path} `, ''))
  }
}

/**
 * The tokens of a file: one, or during a rotation two, a line each. Throws `SettingsError` for a file that is missing, readable by others or holds
 * more, and for a token that is too short or one character repeated.
 */
export function readTokens(setting: string, path: string): string[] {
  const tokens = readPrivateText(setting, path).split(/\r?\n/)
  if (tokens.length > 2) throw refused(setting, 'holds more than two lines')
  for (const token of tokens) judgeToken(setting, token)
  return tokens
}

function judgeToken(setting: string, token: string): void {
  if (token.length < tokenCharactersMin) throw refused(setting, `holds fewer than ${tokenCharactersMin} characters`)
  if (/\s/.test(token)) throw refused(setting, 'holds more than one word in a line')
  if (new Set(token).size < 8) throw refused(setting, 'holds too few different characters for a random token')
}

/** The content of a file that other users may not read. Throws `SettingsError`. */
export function readPrivateText(setting: string, path: string): string {
  const given = readSecretText(setting, path)
  if (!given.ok) throw new SettingsError([given.fault])
  return given.text
}

function refused(setting: string, reason: string): SettingsError {
  return new SettingsError([`the file of ${setting} ${reason}`])
}
