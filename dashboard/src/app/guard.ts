// The guard of pages that require a session.
import { redirect } from '@tanstack/react-router'
import { readToken } from '../api/client.ts'

/** Redirects to the sign-in page without a session, and back after signing in. Throws an ApiFault if the service fails to answer. */
export async function requireSession(location: { readonly href: string }): Promise<void> {
  if ((await readToken()) !== null) return
  // The router catches this and redirects.
  throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } })
}
