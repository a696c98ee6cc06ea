import type { SignUpBody } from '../../api/client.ts'
import { readText } from '../../app/form-text.ts'

/** Reads the form. An optional field that is empty or not part of the form is left out. */
export function readSignUp(form: FormData): SignUpBody {
  const name = readText(form, 'name').trim()
  const orgName = readText(form, 'org_name').trim()
  return {
    email: readText(form, 'email').trim(),
    // A password is not trimmed: spaces are part of it.
    password: readText(form, 'password'),
    ...(name === '' ? {} : { name }),
    ...(orgName === '' ? {} : { org_name: orgName }),
  }
}
