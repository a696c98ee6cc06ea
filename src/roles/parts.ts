// What every role of a process is made of.
import type { Config } from '../config.ts'
import type { Log } from '../watch/log.ts'
import type { Metrics } from '../watch/metrics.ts'
import type { Bus } from './bus.ts'
import type { Databases } from './databases.ts'

export type Parts = {
  readonly config: Config
  readonly log: Log
  readonly metrics: Metrics
  readonly databases: Databases
  readonly bus: Bus
  /** Told of what failed in the background and will be repeated. */
  readonly onError: (error: unknown, doing: string) => void
}

/** The same in all processes: it is part of what they tell SDKs. */
export const rulesPollAfterS = 30
