// The session of several tabs: only one tab renews it, and all tabs learn of the new token.
import test from 'ava'
import { type Access, makeSession, type Session, type TabMessage } from '../../src/api/session.ts'

type Browser = {
  readonly renewals: () => number
  openTab(): Session & { readonly changes: () => number }
  /** Sets the response of the service to later renewals. */
  answer(next: () => Promise<Access | null>): void
  setNow(ms: number): void
}

/** Returns a browser whose tabs share a lock, a channel and a clock. */
function makeBrowser(): Browser {
  let nowMs = 1_000_000
  let renewals = 0
  let lock: Promise<unknown> = Promise.resolve()
  const listeners: ((message: TabMessage, from: number) => void)[] = []
  let reply = async (): Promise<Access | null> => ({ token: `token ${renewals}`, expiresAtMs: nowMs + 600_000 })
  return {
    renewals: () => renewals,
    answer: (next) => {
      reply = next
    },
    setNow: (ms) => {
      nowMs = ms
    },
    openTab() {
      const id = listeners.length
      let changes = 0
      const post = (message: TabMessage): void => {
        for (const listener of listeners) listener(message, id)
      }
      const session = makeSession({
        renew: async () => {
          renewals += 1
          return await reply()
        },
        alone: async (task) => {
          const mine = lock.then(task)
          lock = mine.catch(() => undefined)
          return await mine
        },
        tabs: {
          post,
          ask: async () => post({ kind: 'ask' }),
          listen: (listener) => {
            listeners.push((message, from) => {
              if (from !== id) listener(message)
            })
          },
        },
        nowMs: () => nowMs,
        onChange: () => {
          changes += 1
        },
      })
      return { ...session, changes: () => changes }
    },
  }
}

test('three tabs whose token was refused renew it once', async (t) => {
  const browser = makeBrowser()
  const tabs = [browser.openTab(), browser.openTab(), browser.openTab()]
  tabs[0]?.start({ token: 'old', expiresAtMs: 1_100_000 })
  t.deepEqual(await Promise.all(tabs.map((tab) => tab.token())), ['old', 'old', 'old'])
  t.is(browser.renewals(), 0)
  t.deepEqual(await Promise.all(tabs.map((tab) => tab.replace('old'))), ['token 1', 'token 1', 'token 1'])
  t.is(browser.renewals(), 1)
})

test('many requests of one tab share one renewal', async (t) => {
  const browser = makeBrowser()
  const tab = browser.openTab()
  t.deepEqual(await Promise.all([tab.token(), tab.token(), tab.token()]), ['token 1', 'token 1', 'token 1'])
  t.is(browser.renewals(), 1)
})

test('a token that was replaced meanwhile needs no renewal', async (t) => {
  const browser = makeBrowser()
  const tab = browser.openTab()
  tab.start({ token: 'new', expiresAtMs: 2_000_000 })
  t.is(await tab.replace('old'), 'new')
  t.is(browser.renewals(), 0)
})

test('a new tab gets the token of another one', async (t) => {
  const browser = makeBrowser()
  browser.openTab().start({ token: 'held', expiresAtMs: 2_000_000 })
  t.is(await browser.openTab().token(), 'held')
  t.is(browser.renewals(), 0)
})

test('a token is renewed before it expires', async (t) => {
  const browser = makeBrowser()
  const tab = browser.openTab()
  tab.start({ token: 'short', expiresAtMs: 1_060_000 })
  t.is(await tab.token(), 'short')
  browser.setNow(1_050_000)
  t.is(await tab.token(), 'token 1')
})

test('the end of a session signs all tabs out, and no tab asks again', async (t) => {
  const browser = makeBrowser()
  const [a, b] = [browser.openTab(), browser.openTab()]
  a.start({ token: 'old', expiresAtMs: 2_000_000 })
  browser.answer(async () => null)
  t.is(await a.replace('old'), null)
  t.true(a.isSignedOut())
  t.true(b.isSignedOut())
  t.is(await b.token(), null)
  t.is(browser.renewals(), 1)
})

test('a tab without a session learns that nobody is signed in, and reports no change', async (t) => {
  const browser = makeBrowser()
  const tab = browser.openTab()
  browser.answer(async () => null)
  t.is(await tab.token(), null)
  t.true(tab.isSignedOut())
  t.is(tab.changes(), 0)
  tab.start({ token: 'first', expiresAtMs: 2_000_000 })
  tab.end()
  t.is(tab.changes(), 2, 'the control: those of somebody do')
})

test('signing out and in again reaches all tabs', async (t) => {
  const browser = makeBrowser()
  const [a, b] = [browser.openTab(), browser.openTab()]
  a.start({ token: 'first', expiresAtMs: 2_000_000 })
  b.end()
  t.is(await a.token(), null)
  t.is(a.changes(), 2)
  b.start({ token: 'second', expiresAtMs: 2_000_001 })
  t.is(await a.token(), 'second')
  t.is(a.changes(), 3)
})

test('all tabs distinguish a session that the service ended from one that a person ended', async (t) => {
  const browser = makeBrowser()
  const [a, b] = [browser.openTab(), browser.openTab()]
  a.start({ token: 'first', expiresAtMs: 2_000_000 })
  t.is(await b.token(), 'first')
  browser.answer(async () => null)
  t.is(await a.replace('first'), null)
  t.true(a.hasEnded() && b.hasEnded())
  const before = a.changes()
  b.end()
  t.false(a.hasEnded() || b.hasEnded())
  t.is(a.changes(), before + 1, 'what was kept for the person goes')
  t.is(await a.replace('first'), null)
  t.false(a.hasEnded(), 'whoever signed out stays so')
})

test('a sign-in while another session is open clears what other tabs show of the earlier person', async (t) => {
  const browser = makeBrowser()
  const [a, b] = [browser.openTab(), browser.openTab()]
  a.start({ token: 'of the first person', expiresAtMs: 2_000_000 })
  t.is(await b.token(), 'of the first person')
  const before = a.changes()
  // The tokens of the two persons may expire in any order.
  b.start({ token: 'of the second person', expiresAtMs: 1_900_000 })
  t.is(await a.token(), 'of the second person')
  t.is(a.changes(), before + 1)
})

test('the session remains while the service cannot be reached', async (t) => {
  const browser = makeBrowser()
  const tab = browser.openTab()
  browser.answer(async () => {
    throw new Error('no network')
  })
  await t.throwsAsync(tab.token(), { message: 'no network' })
  t.false(tab.isSignedOut())
  browser.answer(async () => ({ token: 'back', expiresAtMs: 2_000_000 }))
  t.is(await tab.token(), 'back')
})
