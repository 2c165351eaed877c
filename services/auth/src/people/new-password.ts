// The fields of a form in which somebody chooses a password.
import { type Form, fieldOf } from '../web/form.ts'
import { refusalOfPassword } from './common-passwords.ts'

/** Of `new_password` and `new_password_again`. `names`: as `refusalOfPassword` takes them. */
export function faultsOfNewPassword(
  form: Form,
  names: readonly string[],
): { field: 'new_password' | 'new_password_again'; message: string }[] {
  const password = fieldOf(form, 'new_password')
  const refusal = refusalOfPassword(password, names)
  if (refusal !== null) return [{ field: 'new_password', message: refusal }]
  if (password === fieldOf(form, 'new_password_again')) return []
  return [{ field: 'new_password_again', message: 'The two passwords are not the same.' }]
}
