// Replays executions and applies events at their times between them. Pure.
import type { Ladder } from '../gate/ladder.ts'
import type { Execution, ReplayOptions } from '../gate/replay.ts'

export type ReplayEvent = { readonly atUs: number; readonly apply: (ladder: Ladder) => void }

/**
 * Applies each event, oldest first, after the executions that had begun by then, if other executions follow. Events after the last
 * execution are left to the caller: an execution of a later batch may precede them.
 */
export function replayBetween(
  ladder: Ladder,
  executions: readonly Execution[],
  events: readonly ReplayEvent[],
  options: ReplayOptions,
): void {
  let rest = executions
  for (const { atUs, apply } of events) {
    const before = rest.filter(({ startUs }) => startUs <= atUs)
    if (before.length === rest.length) break
    if (before.length > 0) {
      ladder.replay(before, options)
      rest = rest.filter(({ startUs }) => startUs > atUs)
    }
    apply(ladder)
  }
  ladder.replay(rest, options)
}
