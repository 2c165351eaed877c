// The errors of this package. A message never contains a key, a value or a ciphertext.

/** Why a value could not be encrypted or decrypted, or a key not be used. */
export type EnvelopeErrorCode = 'bad_key' | 'bad_key_file' | 'not_text' | 'malformed' | 'unknown_key' | 'not_authentic'

/** A refusal of this package; `code` says which. */
export class EnvelopeError extends Error {
  override readonly name = 'EnvelopeError'
  readonly code: EnvelopeErrorCode

  constructor(code: EnvelopeErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
