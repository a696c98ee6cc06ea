import type { SignUpBody } from '../../api/client.ts'

/** What was filled in; fields that are not on the form or empty are left out. */
export function readSignUp(form: FormData): SignUpBody {
  const read = (name: string): string => String(form.get(name) ?? '').trim()
  const name = read('name')
  const orgName = read('org_name')
  return {
    email: read('email'),
    // Spaces are part of a password.
    password: String(form.get('password') ?? ''),
    ...(name === '' ? {} : { name }),
    ...(orgName === '' ? {} : { org_name: orgName }),
  }
}
