// Pages for people who are signed in.
import { redirect } from '@tanstack/react-router'
import { readToken } from '../api/client.ts'

/** Sends whoever is not signed in to the page for that, and back afterwards. Throws an ApiFault where the service cannot be asked. */
export async function requireSession(location: { readonly href: string }): Promise<void> {
  if ((await readToken()) !== null) return
  // The router reads this to leave the page.
  throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } })
}
