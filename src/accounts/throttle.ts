// Floor 3. Limits on sign-in attempts, shared by all fronts through the database. An attempt is counted before it is
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
  readonly refreshByIp: Limit
  readonly signupByIp: Limit
}

export const defaultLimits: Limits = {
  loginByAccountAndIp: { points: 5, windowS: 900 },
  loginByAccount: { points: 20, windowS: 3_600 },
  loginByIp: { points: 60, windowS: 300 },
  refreshByIp: { points: 150, windowS: 300 },
  signupByIp: { points: 10, windowS: 3_600 },
}

/** Gives the attempts back: they were no guesses. */
export type Refund = () => Promise<void>

export type Throttle = {
  /** Each throws an Outage of status 429 where a limit is reached. One query a limit. */
  readonly login: (email: string, ip: string) => Promise<Refund>
  readonly refresh: (ip: string) => Promise<void>
  readonly signup: (ip: string) => Promise<void>
}

type Deps = { readonly db: Database; readonly limits: Limits; readonly now: () => Date }

export function makeThrottle({ db, limits, now }: Deps): Throttle {
  async function consume(name: keyof Limits, subject: string): Promise<string> {
    const { points, windowS } = limits[name]
    const key = createHash('sha256').update(`${name} ${subject}`).digest('base64url')
    const at = now()
    const until = new Date(at.getTime() + windowS * 1_000)
    const window = await db.row<{ points: number; expires_at: Date }>('accounts/consume-throttle', [key, at, until])
    if (window === null) throw new Error('the statement accounts/consume-throttle returned no row')
    if (window.points > points) {
      throw new Outage('too many attempts', { status: 429, retryAfterMs: window.expires_at.getTime() - at.getTime() })
    }
    return key
  }
  // Whoever has a /64 has all of its addresses.
  const household = (ip: string): string => cutIp(ip, { v4Octets: 4, v6Groups: 4 })

  return {
    // One after the other: an address that is shut out no longer counts against the account, or it could lock others out of it.
    login: async (email, ip) => {
      const from = household(ip)
      const keys = [await consume('loginByIp', from)]
      keys.push(await consume('loginByAccountAndIp', `${email} ${from}`))
      keys.push(await consume('loginByAccount', email))
      return async () => {
        await db.run('accounts/refund-throttle', [keys])
      }
    },
    refresh: async (ip) => {
      await consume('refreshByIp', household(ip))
    },
    signup: async (ip) => {
      await consume('signupByIp', household(ip))
    },
  }
}
