// The access token of the signed-in person: in memory only, renewed once for all tabs. The refresh token is a cookie that no
// script can read.

export type Access = { readonly token: string; readonly expiresAtMs: number }

/** What tabs tell each other. */
export type TabMessage =
  | { readonly kind: 'ask' }
  /** To who asked; null where this tab has no token that is not about to expire. */
  | { readonly kind: 'answer'; readonly access: Access | null }
  /** Renewed, for the person who is signed in. */
  | { readonly kind: 'access'; readonly access: Access }
  /** Somebody has signed in: it may be another person than before. */
  | { readonly kind: 'started'; readonly access: Access }
  /** By a person. */
  | { readonly kind: 'signed-out' }
  /** The service knows the session no more. */
  | { readonly kind: 'ended' }

export type Tabs = {
  post(message: TabMessage): void
  listen(listener: (message: TabMessage) => void): void
  /** Asks the other tabs. Resolves when each of them has answered or has had time to, or one answer was enough. */
  ask(isEnough: () => boolean): Promise<void>
}

type Deps = {
  /** Asks the service for a new token by the cookie. Null where the session has ended; throws where the service cannot be asked. */
  readonly renew: () => Promise<Access | null>
  /** Runs one task at a time over all tabs. */
  readonly alone: <T>(task: () => Promise<T>) => Promise<T>
  readonly tabs: Tabs
  readonly nowMs: () => number
  readonly onChange: () => void
}

export type Session = {
  /** A token that is not about to expire, or null where nobody is signed in. Throws where the service cannot be asked. */
  token(): Promise<string | null>
  /** The service refused this token: gives another one, or null. Throws as `token` does. */
  replace(refused: string): Promise<string | null>
  /** After signing in or signing up. */
  start(access: Access): void
  /** After signing out, in this tab and all others. */
  end(): void
  isSignedOut(): boolean
  /** Nobody signed out: the service ended the session. */
  hasEnded(): boolean
}

// A request that is under way when the token expires would be refused.
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
    // Whoever signed out stays so, whatever the service says of their session afterwards.
    hasEnded = isEnd && !(isOut && !hasEnded)
    access = null
    isOut = true
    // That nobody was signed in from the start changes nothing: what a stranger's page asks for must not be thrown away.
    if (isChanged) onChange()
  }

  const current = (refused: string | null): string | null =>
    access !== null && isFresh(access) && access.token !== refused ? access.token : null

  async function renewAlone(refused: string | null): Promise<string | null> {
    return await alone(async () => {
      // The tab that held the lock before may have got one.
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

  /** All requests of this tab that need a token meanwhile share one renewal. */
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
