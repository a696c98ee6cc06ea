// A signed-in browser without the way through the sign-in page.
import type { BrowserContext } from 'playwright-core'

export type Person = { readonly email: string; readonly password: string }

/** The context holds the refresh token as the service sets it: a session of its own, so that no other test uses it up. */
export async function signIn(context: BrowserContext, baseUrl: string, { email, password }: Person): Promise<void> {
  const response = await fetch(`${baseUrl}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tracewright-session': 'cookie' },
    body: JSON.stringify({ email, password }),
  })
  if (!response.ok) throw new Error(`signing in failed with status ${response.status}`)
  const [cookie = ''] = response.headers.getSetCookie()
  const [, name = '', value = ''] = /^([^=]+)=([^;]*);/.exec(cookie) ?? []
  // A browser takes a cookie of this name from the own machine as if it came by HTTPS, but from a tool by its address only.
  const url = baseUrl.replace('http:', 'https:')
  await context.addCookies([{ name, value, url, secure: true, httpOnly: true, sameSite: 'Strict' }])
  // What the page remembers of a session, which it would not ask for otherwise.
  await context.addInitScript("localStorage.setItem('tracewright.signed-in', 'yes')")
}
