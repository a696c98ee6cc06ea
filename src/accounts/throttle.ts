// Limits on sign-in attempts, shared by all fronts through the database. An attempt is counted before it is
// judged, so that parallel guesses cannot slip past. Without the database nobody gets in, so nothing fails open.
import { createHash } from 'node:crypto'
import { Outage } from '../base/fault.ts'
import { cutIp } from '../base/ip.ts'
import type { Database } from '../store/database.ts'

/** `points` attempts in a window of `windowS` seconds that starts with the first. */
export type Limit = { readonly points: number; readonly windowS: number }

export type Limits = {
  readonly loginByAccountAndIp: Limit
  readonly loginByAccount: Limit
  readonly loginByIp: Limit
  readonly loginByDevice: Limit
  readonly passwordBySession: Limit
  readonly resetByIp: Limit
  readonly resetByAccount: Limit
  readonly refreshByIp: Limit
  readonly signupByIp: Limit
}

export const defaultLimits: Limits = {
  loginByAccountAndIp: { points: 5, windowS: 900 },
  loginByAccount: { points: 20, windowS: 3_600 },
  loginByIp: { points: 60, windowS: 300 },
  loginByDevice: { points: 10, windowS: 900 },
  passwordBySession: { points: 5, windowS: 900 },
  resetByIp: { points: 20, windowS: 3_600 },
  resetByAccount: { points: 3, windowS: 3_600 },
  refreshByIp: { points: 150, windowS: 300 },
  signupByIp: { points: 10, windowS: 3_600 },
}

/** What a check of a password found. Only a wrong one uses up attempts: an outage, or nobody signed in any more, says nothing of it. */
export type Verdict = { readonly isWrong: boolean }

export type LoginAttempt = {
  /** The canonical address. */
  readonly account: string
  readonly ip: string
  /** A device that has signed in to the account with its password of today (`device-token.ts`), or null. */
  readonly device: string | null
}

export type Throttle = {
  /**
   * Runs the check where no limit is reached, else throws an Outage of status 429. The attempt is given back unless the verdict is
   * "wrong". One query a limit, and one to give back.
   */
  readonly login: <T extends Verdict>(attempt: LoginAttempt, check: () => Promise<T>) => Promise<T>
  /** The same for the current password, asked again of whoever is signed in. */
  readonly password: <T extends Verdict>(
    asked: { sessionId: string; ip: string },
    check: () => Promise<T>,
  ) => Promise<T>
  /** False where the account has had its share, which the caller must not show: it would be a way to keep others from a reset. */
  readonly reset: (account: string, ip: string) => Promise<boolean>
  readonly refresh: (ip: string) => Promise<void>
  readonly signup: (ip: string) => Promise<void>
}

type Deps = { readonly db: Database; readonly limits: Limits; readonly now: () => Date }
type Windows = readonly (readonly [name: keyof Limits, subject: string])[]

/**
 * Attempts of one address that one process checks at once: this share of those that may be wrong, and eight at least. Right passwords use up
 * no attempts, so that one client with an account could otherwise have all places in the queue for hashes, which everybody needs.
 */
const atOnceShare = 1 / 8
const leastAtOnce = 8

/** How long a client waits where attempts that are being checked fill a window: most are judged within this time. */
const underWayMs = 1_000

export function makeThrottle({ db, limits, now }: Deps): Throttle {
  type Point = { readonly key: string; readonly expiresAt: Date }
  /** How many attempts this process is at, by the key of their window. */
  const underWay = new Map<string, number>()

  const makeKey = (name: keyof Limits, subject: string): string =>
    createHash('sha256').update(`${name} ${subject}`).digest('base64url')

  /** Null where the window is full. */
  async function take(name: keyof Limits, key: string): Promise<Point | null> {
    const { points, windowS } = limits[name]
    const at = now()
    const until = new Date(at.getTime() + windowS * 1_000)
    const window = await db.row<{ expires_at: Date }>('accounts/consume-throttle', [key, at, until, points])
    return window === null ? null : { key, expiresAt: window.expires_at }
  }

  /** Of a full window. Where attempts under way filled it there is room as soon as they are judged, or there is again by now. */
  async function makeRefusal(name: keyof Limits, key: string): Promise<Outage> {
    const refuseFor = (retryAfterMs: number): Outage => new Outage('too many attempts', { status: 429, retryAfterMs })
    if (underWay.has(key)) return refuseFor(underWayMs)
    const window = await db.row<{ points: number; expires_at: Date }>('accounts/read-throttle', [key])
    if (window === null || window.points < limits[name].points) return refuseFor(underWayMs)
    return refuseFor(Math.max(underWayMs, window.expires_at.getTime() - now().getTime()))
  }

  async function consume(name: keyof Limits, subject: string): Promise<void> {
    const key = makeKey(name, subject)
    if ((await take(name, key)) === null) throw await makeRefusal(name, key)
  }

  function begin(key: string): void {
    underWay.set(key, (underWay.get(key) ?? 0) + 1)
  }

  function end(key: string): void {
    const others = (underWay.get(key) ?? 1) - 1
    if (others === 0) underWay.delete(key)
    else underWay.set(key, others)
  }

  /** Begun before it is counted and ended after it is given back: whoever meets a window that it fills can tell. */
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

  async function giveBack(points: readonly Point[]): Promise<void> {
    if (points.length === 0) return
    await db.run('accounts/refund-throttle', [points.map(({ key }) => key), points.map(({ expiresAt }) => expiresAt)])
  }

  /** The windows one after the other: an address that is shut out must not count against the account, not even for a moment. */
  async function guard<T extends Verdict>(windows: Windows, check: () => Promise<T>): Promise<T> {
    const points: Point[] = []
    let isWrong = false
    try {
      for (const [name, subject] of windows) points.push(await takeAndBegin(name, makeKey(name, subject)))
      const verdict = await check()
      isWrong = verdict.isWrong
      return verdict
    } finally {
      try {
        if (!isWrong) await giveBack(points)
      } finally {
        for (const { key } of points) end(key)
      }
    }
  }

  /** Runs it unless as many attempts of the address are under way as may be. */
  async function inPlace<T>(from: string, run: () => Promise<T>): Promise<T> {
    const key = `at once ${from}`
    if ((underWay.get(key) ?? 0) >= Math.max(leastAtOnce, limits.loginByIp.points * atOnceShare))
      throw new Outage('too many attempts', { status: 429, retryAfterMs: underWayMs })
    begin(key)
    try {
      return await run()
    } finally {
      end(key)
    }
  }

  // Whoever has a /64 has all of its addresses.
  const household = (ip: string): string => cutIp(ip, { v4Octets: 4, v6Groups: 4 })

  return {
    login: async ({ account, ip, device }, check) => {
      const from = household(ip)
      const windows: Windows =
        device === null
          ? [
              ['loginByIp', from],
              ['loginByAccountAndIp', `${account} ${from}`],
              ['loginByAccount', account],
            ]
          : // Neither strangers who guess at the account nor others behind the same address use up the attempts of a known device.
            [['loginByDevice', `${account} ${device}`]]
      return await inPlace(from, async () => await guard(windows, check))
    },
    password: async ({ sessionId, ip }, check) =>
      await inPlace(household(ip), async () => await guard([['passwordBySession', sessionId]], check)),
    reset: async (account, ip) => {
      await consume('resetByIp', household(ip))
      return (await take('resetByAccount', makeKey('resetByAccount', account))) !== null
    },
    refresh: async (ip) => {
      await consume('refreshByIp', household(ip))
    },
    signup: async (ip) => {
      await consume('signupByIp', household(ip))
    },
  }
}
