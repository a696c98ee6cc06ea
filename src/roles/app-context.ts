// What every role of a process is built from.
import type { Config } from '../config.ts'
import type { DatabaseClock } from '../store/database-clock.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Bus } from './bus.ts'
import type { Databases } from './databases.ts'

export type AppContext = {
  readonly config: Config
  readonly log: Log
  readonly metrics: Metrics
  readonly databases: Databases
  readonly bus: Bus
  readonly clock: DatabaseClock
  /** Called when background work failed and will be retried. */
  readonly onError: (error: unknown, doing: string) => void
}

/** How many connections one kind of work may use of those for accounts, keys and rules, so that others are left. */
export const halfOfControl = ({ DATABASE_CONTROL_CONNECTIONS: all }: Config): number => Math.floor(all / 2)

/** The same in all processes, since SDKs are told this interval. */
export const rulesPollAfterS = 30
