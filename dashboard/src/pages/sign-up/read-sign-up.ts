import type { SignUpBody } from '../../api/client.ts'
import { readText } from '../../app/form-text.ts'

/** What was filled in; fields that are not on the form or empty are left out. */
export function readSignUp(form: FormData): SignUpBody {
  const name = readText(form, 'name').trim()
  const orgName = readText(form, 'org_name').trim()
  return {
    email: readText(form, 'email').trim(),
    // Spaces are part of a password.
    password: readText(form, 'password'),
    ...(name === '' ? {} : { name }),
    ...(orgName === '' ? {} : { org_name: orgName }),
  }
}
