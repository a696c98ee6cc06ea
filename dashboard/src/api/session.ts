// The access token of the signed-in user. It is held in memory only and renewed once for all tabs. The refresh token is a cookie
// that no script can read.

export type Access = { readonly token: string; readonly expiresAtMs: number }

/** The messages between tabs. */
export type TabMessage =
  | { readonly kind: 'ask' }
  /** Answers `ask`; null if this tab has no token, or one that is about to expire. */
  | { readonly kind: 'answer'; readonly access: Access | null }
  /** A renewed token of the user who is signed in. */
  | { readonly kind: 'access'; readonly access: Access }
  /** A user has signed in, possibly another one than before. */
  | { readonly kind: 'started'; readonly access: Access }
  /** The user signed out. */
  | { readonly kind: 'signed-out' }
  /** The service ended the session. */
  | { readonly kind: 'ended' }

export type Tabs = {
  post(message: TabMessage): void
  listen(listener: (message: TabMessage) => void): void
  /** Asks the other tabs for their token. Resolves when all of them have answered, when `isEnough` is true, or after a timeout. */
  ask(isEnough: () => boolean): Promise<void>
}

type Deps = {
  /** Requests a new token with the cookie. Null if the session has ended. Throws if the service fails to answer. */
  readonly renew: () => Promise<Access | null>
  /** Runs one task at a time across all tabs. */
  readonly alone: <T>(task: () => Promise<T>) => Promise<T>
  readonly tabs: Tabs
  readonly nowMs: () => number
  readonly onChange: () => void
}

export type Session = {
  /** Returns a token that is not about to expire, or null without a session. Throws if the service fails to answer. */
  token(): Promise<string | null>
  /** Returns another token after the service refused this one, or null. Throws as `token` does. */
  replace(refused: string): Promise<string | null>
  /** Called after signing in or signing up. */
  start(access: Access): void
  /** Called after signing out; ends the session in this tab and all others. */
  end(): void
  isSignedOut(): boolean
  /** Whether the session was ended by the service, not by the user. */
  hasEnded(): boolean
}

// A token is renewed this long before it expires, since the service would refuse a request that is in flight at that moment.
const marginMs = 15_000

export function makeSession({ renew, alone, tabs, nowMs, onChange }: Deps): Session {
  let access: Access | null = null
  let isOut = false
  let hasEnded = false
  let renewing: Promise<string | null> | null = null

  tabs.listen((message) => {
    if (message.kind === 'ask')
      tabs.post({ kind: 'answer', access: access !== null && isFresh(access) ? access : null })
    if (message.kind === 'access' || message.kind === 'answer') take(message.access)
    if (message.kind === 'started') begin(message.access)
    if (message.kind === 'signed-out') drop(false)
    if (message.kind === 'ended') drop(true)
  })

  const isFresh = ({ expiresAtMs }: Access): boolean => expiresAtMs - marginMs > nowMs()

  function take(next: Access | null): void {
    if (next === null || (access !== null && access.expiresAtMs >= next.expiresAtMs)) return
    access = next
    const wasOut = isOut
    isOut = false
    if (wasOut) onChange()
  }

  function begin(next: Access): void {
    access = next
    isOut = false
    onChange()
  }

  function drop(isEnd: boolean): void {
    const isChanged = access !== null || (isOut && hasEnded && !isEnd)
    // A sign-out by the user stays one, even if the service reports the end of the session afterwards.
    hasEnded = isEnd && !(isOut && !hasEnded)
    access = null
    isOut = true
    // A tab that never had a session has not changed: onChange would discard the queries of a page that needs none.
    if (isChanged) onChange()
  }

  const current = (refused: string | null): string | null =>
    access !== null && isFresh(access) && access.token !== refused ? access.token : null

  async function renewAlone(refused: string | null): Promise<string | null> {
    return await alone(async () => {
      // The tab that held the lock before may have renewed the token.
      await tabs.ask(() => current(refused) !== null)
      const known = current(refused)
      if (known !== null) return known
      const renewed = await renew()
      if (renewed === null) {
        drop(true)
        tabs.post({ kind: 'ended' })
        return null
      }
      access = renewed
      isOut = false
      tabs.post({ kind: 'access', access: renewed })
      return renewed.token
    })
  }

  /** Concurrent requests of this tab share one renewal. */
  function renewOnce(refused: string | null): Promise<string | null> {
    renewing ??= renewAlone(refused).finally(() => (renewing = null))
    return renewing
  }

  return {
    token: async () => (isOut ? null : (current(null) ?? (await renewOnce(null)))),
    replace: async (refused) => current(refused) ?? (await renewOnce(refused)),
    start(next) {
      tabs.post({ kind: 'started', access: next })
      begin(next)
    },
    end() {
      drop(false)
      tabs.post({ kind: 'signed-out' })
    },
    isSignedOut: () => isOut,
    hasEnded: () => isOut && hasEnded,
  }
}
