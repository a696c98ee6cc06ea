// A replay with the events that change it, each in its place between the executions. Pure.
import type { Ladder } from '../gate/ladder.ts'
import type { Execution, ReplayOptions } from '../gate/replay.ts'

export type ReplayEvent = { readonly atUs: number; readonly apply: (ladder: Ladder) => void }

/**
 * An event, oldest first, is applied behind the executions that had begun by then, where others follow it. Those behind the last
 * execution are left to the caller: an execution of a later batch may come before them.
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
