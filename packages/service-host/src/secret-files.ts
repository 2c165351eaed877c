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

/** The only line of a token file. Throws `SettingsError` for one that is missing, readable by others, too short or one character repeated. */
export function readToken(setting: string, path: string): string {
  const token = readPrivateText(setting, path)
  if (token.length < tokenCharactersMin) throw refused(setting, `holds fewer than ${tokenCharactersMin} characters`)
  if (/\s/.test(token)) throw refused(setting, 'holds more than one word')
  if (new Set(token).size < 8) throw refused(setting, 'holds too few different characters for a random token')
  return token
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
