// Limits on sign-in attempts, which all fronts share through the database. An attempt is counted before it is checked, so that parallel
// guesses cannot exceed a limit. Without the database no sign-in succeeds, so nothing fails open.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { Outage } from '../base/fault.ts'
import { addressesOfSite, clientPrefixOf, sitePrefixOf, widestPrefixOf } from '../base/ip.ts'
import { makeKeyedSemaphore } from '../base/keyed-semaphore.ts'
import type { Database } from '../store/database.ts'

/** `points` attempts in a window of `windowS` seconds, which starts with the first attempt. */
export type Limit = { readonly points: number; readonly windowS: number }

export type Limits = {
  readonly loginByAccountAndIp: Limit
  readonly loginByAccount: Limit
  readonly loginByIp: Limit
  /** By the /48 of an IPv6 address. */
  readonly loginBySite: Limit
  readonly loginByDevice: Limit
  readonly passwordBySession: Limit
  readonly resetByIp: Limit
  readonly resetByAccount: Limit
  readonly refreshByIp: Limit
  readonly tokenByIp: Limit
  readonly signupByIp: Limit
}

export const defaultLimits: Limits = {
  loginByAccountAndIp: { points: 5, windowS: 900 },
  loginByAccount: { points: 20, windowS: 3_600 },
  loginByIp: { points: 60, windowS: 300 },
  loginBySite: { points: 240, windowS: 300 },
  loginByDevice: { points: 10, windowS: 900 },
  passwordBySession: { points: 5, windowS: 900 },
  resetByIp: { points: 20, windowS: 3_600 },
  resetByAccount: { points: 3, windowS: 3_600 },
  refreshByIp: { points: 150, windowS: 300 },
  tokenByIp: { points: 60, windowS: 300 },
  signupByIp: { points: 10, windowS: 3_600 },
}

/**
 * The result of a password check. Only a wrong password uses up attempts: an outage or an ended session says nothing about the password.
 */
export type PasswordCheck = { readonly isWrong: boolean }

export type LoginAttempt = {
  /** The canonical address. */
  readonly account: string
  readonly ip: string
  /** A device that has signed in to the account with its current password (`device-token.ts`), or null. */
  readonly device: string | null
}

export type PasswordAttempt = { readonly userId: string; readonly sessionId: string; readonly ip: string }

export type Throttle = {
  /**
   * Runs the check if no limit is reached; otherwise throws an Outage with status 429. The attempt is refunded unless the password is
   * wrong. One query per limit, and one for the refund.
   */
  readonly login: <T extends PasswordCheck>(attempt: LoginAttempt, check: () => Promise<T>) => Promise<T>
  /** The same for the current password, which a signed-in user must give again. */
  readonly password: <T extends PasswordCheck>(attempt: PasswordAttempt, check: () => Promise<T>) => Promise<T>
  /** Runs a function that hashes without a check. Throws the same Outage if too many attempts of the address are in progress. */
  readonly hash: <T>(ip: string, run: () => Promise<T>) => Promise<T>
  /** Runs a query that is made before an attempt is counted. Two of an address (IPv6: of a /48) run at once. Throws an Outage with status 429 if 100 wait. */
  readonly query: <T>(ip: string, run: () => Promise<T>) => Promise<T>
  /** Returns false if the account is over its limit. The caller must not reveal this: others could use it to keep a user from a reset. */
  readonly reset: (account: string, ip: string) => Promise<boolean>
  readonly refresh: (ip: string) => Promise<void>
  /** For a token of an invite or a password reset. */
  readonly token: (ip: string) => Promise<void>
  readonly signup: (ip: string) => Promise<void>
}

type Deps = { readonly db: Database; readonly limits: Limits; readonly now: () => Date }
type Windows = readonly (readonly [name: keyof Limits, subject: string])[]

/**
 * Limit of concurrent attempts of one address, and of one signed-in user, in one process: this share of the wrong attempts that an address
 * may make, and at least eight. Correct passwords use up no attempts, so one client with an account could otherwise fill the queue for
 * hashes, which all users need.
 */
const atOnceShare = 1 / 8
const leastAtOnce = 8

/**
 * Limits of the queries for one address that are made without a credential, in one process. The attempts of an address change one row, which
 * PostgreSQL lets one transaction do at a time: more of them at once would only hold connections that others need.
 */
const [queriesAtOnce, mostQueries, queryWaitMs] = [2, 100, 10_000]
/** The number of full windows that are remembered. */
const maxFull = 10_000

/** How long a client waits if attempts in progress fill a window: most are decided within this time. */
const underWayMs = 1_000

export function makeThrottle({ db, limits, now }: Deps): Throttle {
  type Point = { readonly key: string; readonly expiresAt: Date }
  /** The number of attempts in progress in this process, by the key of their window. */
  const underWay = new Map<string, number>()
  /** When a window ends, in Unix ms, by its key. Only windows of attempts that are never refunded, which stay full until then. */
  const full = new LRUCache<string, number>({ max: maxFull })
  const { run: runQuery } = makeKeyedSemaphore(queriesAtOnce, mostQueries, queryWaitMs, 429)

  const refuseFor = (retryAfterMs: number): Outage =>
    new Outage('limit', 'too many attempts', { status: 429, retryAfterMs })

  const query: Throttle['query'] = async (ip, run) => await runQuery(widestPrefixOf(ip), run)

  const makeKey = (name: keyof Limits, subject: string): string =>
    createHash('sha256').update(`${name} ${subject}`).digest('base64url')

  /** Returns null if the window is full. */
  async function take(name: keyof Limits, key: string): Promise<Point | null> {
    const { points, windowS } = limits[name]
    const at = now()
    const until = new Date(at.getTime() + windowS * 1_000)
    const window = await db.row<{ expires_at: Date }>('accounts/consume-throttle', [key, at, until, points])
    return window === null ? null : { key, expiresAt: window.expires_at }
  }

  /** Builds the refusal for a full window. If attempts in progress fill it, there is room once they are decided, or already is by now. */
  async function makeRefusal(name: keyof Limits, key: string): Promise<Outage> {
    if (underWay.has(key)) return refuseFor(underWayMs)
    const window = await db.row<{ points: number; expires_at: Date }>('accounts/read-throttle', [key])
    if (window === null || window.points < limits[name].points) return refuseFor(underWayMs)
    return refuseFor(Math.max(underWayMs, window.expires_at.getTime() - now().getTime()))
  }

  /** Counts an attempt of an address, which is never refunded. No query if the window is known to be full. */
  async function consume(name: keyof Limits, ip: string): Promise<void> {
    const key = makeKey(name, clientPrefixOf(ip))
    const leftMs = (full.get(key) ?? 0) - now().getTime()
    if (leftMs > 0) throw refuseFor(leftMs)
    await query(ip, async () => {
      if ((await take(name, key)) !== null) return
      const refusal = await makeRefusal(name, key)
      full.set(key, now().getTime() + refusal.retryAfterMs)
      throw refusal
    })
  }

  function begin(key: string): void {
    underWay.set(key, (underWay.get(key) ?? 0) + 1)
  }

  function end(key: string): void {
    const others = (underWay.get(key) ?? 1) - 1
    if (others === 0) underWay.delete(key)
    else underWay.set(key, others)
  }

  /** Marked as in progress before it is counted and until after its refund, so that callers who meet a full window can see the reason. */
  async function takeAndBegin(name: keyof Limits, key: string): Promise<Point> {
    begin(key)
    let point: Point | null = null
    try {
      point = await take(name, key)
    } finally {
      if (point === null) end(key)
    }
    if (point === null) throw await makeRefusal(name, key)
    return point
  }

  async function refund(points: readonly Point[]): Promise<void> {
    if (points.length === 0) return
    await db.run('accounts/refund-throttle', [points.map(({ key }) => key), points.map(({ expiresAt }) => expiresAt)])
  }

  /** Takes the windows one after the other: an address over its limit must not count against the account, not even briefly. */
  async function guard<T extends PasswordCheck>(windows: Windows, check: () => Promise<T>): Promise<T> {
    const points: Point[] = []
    let isWrong = false
    try {
      for (const [name, subject] of windows) points.push(await takeAndBegin(name, makeKey(name, subject)))
      const verdict = await check()
      isWrong = verdict.isWrong
      return verdict
    } finally {
      try {
        if (!isWrong) await refund(points)
      } finally {
        for (const { key } of points) end(key)
      }
    }
  }

  /** Runs the function, or throws the Outage with status 429 if too many attempts of this address or user are in progress. */
  const atOnce = Math.ceil(Math.max(leastAtOnce, limits.loginByIp.points * atOnceShare))
  const { run: runInLimit } = makeKeyedSemaphore(atOnce, 0, undefined, 429)
  const { run: runInSite } = makeKeyedSemaphore(atOnce * addressesOfSite, 0, undefined, 429)

  /** The same for the address and, of IPv6, its /48. */
  async function runFrom<T>(ip: string, run: () => Promise<T>): Promise<T> {
    const site = sitePrefixOf(ip)
    return await runInLimit(clientPrefixOf(ip), site === null ? run : async () => await runInSite(site, run))
  }

  return {
    login: async ({ account, ip, device }, check) => {
      const from = clientPrefixOf(ip)
      const site = sitePrefixOf(ip)
      const windows: Windows =
        device === null
          ? [
              ['loginByIp', from],
              ...(site === null ? [] : ([['loginBySite', site]] as const)),
              ['loginByAccountAndIp', `${account} ${from}`],
              ['loginByAccount', account],
            ]
          : // Strangers who guess at the account, or others behind the same address, must not use up the attempts of a known device.
            [['loginByDevice', `${account} ${device}`]]
      return await runFrom(ip, async () => await guard(windows, check))
    },
    password: async ({ userId, sessionId, ip }, check) => {
      const guarded = async () => await guard([['passwordBySession', sessionId]], check)
      return await runFrom(ip, async () => await runInLimit(userId, guarded))
    },
    hash: async (ip, run) => await runFrom(ip, run),
    query,
    reset: async (account, ip) => {
      await consume('resetByIp', ip)
      return (await take('resetByAccount', makeKey('resetByAccount', account))) !== null
    },
    refresh: async (ip) => await consume('refreshByIp', ip),
    token: async (ip) => await consume('tokenByIp', ip),
    signup: async (ip) => await consume('signupByIp', ip),
  }
}
