// The definition of an agent of the fleet.
import type { Chance } from '../chance.ts'
import type { Failure, Run } from '../run.ts'
import type { Dialect } from '../telling.ts'

export type Who = { readonly session: string; readonly user: string }

export type DemoAgent = {
  /** `service.name` of its process. */
  readonly service: string
  readonly version: string
  /** Its share of the runs, relative to the other agents. */
  readonly share: number
  /** Sessions that it serves on a day; 0 for an agent that runs by itself, under one user. */
  readonly sessionsPerDay: number
  readonly dialect: Dialect
  work(run: Run, chance: Chance, who: Who): void
}

export const rateLimited: Failure = { type: 'rate_limit_error', message: '429 Too many requests, try again later' }
export const overloaded: Failure = { type: 'overloaded_error', message: '529 The provider is overloaded' }
export const timedOut: Failure = { type: 'timeout', message: 'No answer within 10 s' }
