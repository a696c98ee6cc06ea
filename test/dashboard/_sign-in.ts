// A signed-in browser that skips the sign-in page.
import type { Page } from 'playwright-core'

export type Person = { readonly email: string; readonly password: string }

/** The context of the page holds the refresh token as the service sets it. The session is new, so that no other test uses up its token. */
export async function signIn(page: Page, baseUrl: string, { email, password }: Person): Promise<void> {
  const response = await fetch(`${baseUrl}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tracewright-session': 'cookie' },
    body: JSON.stringify({ email, password }),
  })
  if (!response.ok) throw new Error(`signing in failed with status ${response.status}`)
  const [cookie = ''] = response.headers.getSetCookie()
  const [, name = '', value = ''] = /^([^=]+)=([^;]*);/.exec(cookie) ?? []
  // A browser accepts a cookie of this name from localhost as if it came over HTTPS; a cookie that a tool adds needs an HTTPS address.
  const url = baseUrl.replace('http:', 'https:')
  await page.context().addCookies([{ name, value, url, secure: true, httpOnly: true, sameSite: 'Strict' }])
  // The page remembers that it has a session; otherwise it would not ask for one.
  await page.addInitScript("localStorage.setItem('tracewright.signed-in', 'yes')")
}
