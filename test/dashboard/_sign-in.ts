// A signed-in browser that skips the sign-in page, and an app that stays open between tests.
import type { Page } from 'playwright-core'
import { forget } from './_pages.ts'

export type Person = { readonly email: string; readonly password: string }

/** In the storage of the page: it has a session. Otherwise it would not ask for one. */
const mark = 'tracewright.signed-in'

/** A page whose clock differs by more has one that a test has moved. */
const skewMs = 10_000

/** Who is signed in to a page that is used by one test after another. */
const signedIn = new WeakMap<Page, string>()

/**
 * The context of the page holds the refresh token as the service sets it. The session is new, so that no other test uses up its token; only
 * an app that stayed open keeps that of its user.
 */
export async function signIn(page: Page, baseUrl: string, { email, password }: Person): Promise<void> {
  const isInApp = page.url() !== 'about:blank'
  if (isInApp && signedIn.get(page) === email) return
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
  if (isInApp) {
    const { access_token: token, expires_in: lifeS } = (await response.json()) as Record<string, unknown>
    await page.evaluate(announce(String(token), Number(lifeS)))
  } else await page.addInitScript(`localStorage.setItem('${mark}', 'yes')`)
  signedIn.set(page, email)
}

/** JavaScript for the app: signs the user of this token in, as another tab would. */
const announce = (token: string, lifeS: number): string => `(async () => {
  const [mouth, ear] = [1, 2].map(() => new BroadcastChannel('tracewright-session'))
  const heard = new Promise((done) => ear.addEventListener('message', done))
  mouth.postMessage({ kind: 'started', access: { token: '${token}', expiresAtMs: Date.now() + ${lifeS * 1_000} } })
  // The channel of the app is older, so it has heard it too.
  await heard
  mouth.close()
  ear.close()
  localStorage.setItem('${mark}', 'yes')
})()`

/**
 * For tests that only use the app as its users do (`keep` of `PageOptions`): the app stays open and signed in, without the page, the data and
 * the preferences of the test. To load it again would take as much time as most tests do.
 */
export async function keepApp(page: Page): Promise<void> {
  // Where the pointer rests on nothing.
  await page.mouse.move(5, 5)
  await forget(page)
  const [isSignedIn, nowMs] = await page.evaluate<[boolean, number]>(`(() => {
    const isSignedIn = localStorage.getItem('${mark}') !== null
    localStorage.clear()
    sessionStorage.clear()
    localStorage.setItem('${mark}', 'yes')
    dispatchEvent(new Event('storage'))
    return [isSignedIn, Date.now()]
  })()`)
  if (!isSignedIn) throw new Error('the test has ended the session')
  // By the clock of the page, the token of its user may be valid for days.
  if (Math.abs(nowMs - Date.now()) > skewMs) signedIn.delete(page)
}
