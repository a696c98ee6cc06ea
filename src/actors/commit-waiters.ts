// Long-polls that wait for the next commit of a workspace.
import { makeKeyedWaiters } from '../base/keyed-waiters.ts'
import type { Notices } from './notices.ts'

export type CommitWaiters = {
  /**
   * Resolves on the next commit notice of the workspace, after `timeoutMs`, or when the signal aborts; at once if too many callers wait. A
   * notice may be lost or arrive before the call, so the caller must check for new events before the call, and again after it whatever the
   * cause.
   */
  wait(workspaceId: string, signal: AbortSignal, timeoutMs: number): Promise<void>
  /** Wakes all callers, because notices may have been lost. */
  wakeAll(): void
  count(): number
  stop(): void
}

const limits = { maxWaiting: 10_000, maxPerKey: 2_500 }

export function openCommitWaiters(notices: Pick<Notices, 'subscribeCommits'>): CommitWaiters {
  const waiters = makeKeyedWaiters(limits)
  const end = notices.subscribeCommits((workspaceId) => waiters.wake(workspaceId))
  return {
    async wait(workspaceId, signal, timeoutMs) {
      await waiters.wait(workspaceId, signal, timeoutMs)
    },
    wakeAll: waiters.wakeAll,
    count: waiters.count,
    stop() {
      end()
      waiters.stop()
    },
  }
}
