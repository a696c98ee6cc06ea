// Waits until a PostgreSQL that has been started, or was found running, accepts connections.
import { setTimeout as sleep } from 'node:timers/promises'
import { answerTimeoutMs } from '../brief-client.ts'
import { askServer, makeHealthJudge, type WatchLimits, watchLimits } from '../watch-server.ts'
import { hasStartupProcess, isReady, type Postmaster } from './postmaster.ts'

export type Wait = {
  /** The connection URL of any database of the server. */
  readonly url: string
  /** The folder of the cluster. */
  readonly folder: string
  readonly postmaster: Postmaster
  readonly limits?: WatchLimits
  readonly signal?: AbortSignal | undefined
}

const pollMs = 50

/**
 * Returns null once the server accepts connections, otherwise the reason why it will not. Throws the reason of the aborted signal. Throws
 * an error if every connection failed for `noAnswerMs` in a way that says nothing about the server, for example because this process has
 * no free file descriptor.
 */
export async function waitUntilReady({
  url,
  folder,
  postmaster,
  limits = watchLimits,
  signal,
}: Wait): Promise<string | null> {
  const suspect = makeHealthJudge(() => hasStartupProcess(postmaster.pid), limits)
  let failure: unknown
  let lastMs = performance.now()
  let unclearMs = 0
  for (;;) {
    signal?.throwIfAborted()
    if (!postmaster.isRunning()) return 'it has ended'
    const answer = await askServer(url, (error) => {
      failure = error
    })
    if (answer === 'accepts' && isReady(folder, postmaster.pid)) return null
    const nowMs = performance.now()
    const reason = suspect(answer, nowMs - lastMs)
    if (reason !== null) return reason
    // Time in which this process stood still proves nothing.
    unclearMs = answer === 'unclear' ? unclearMs + Math.min(nowMs - lastMs, answerTimeoutMs) : 0
    if (unclearMs >= limits.noAnswerMs) {
      const seconds = Math.round(unclearMs / 1_000)
      const text = `PostgreSQL (process ${postmaster.pid}) runs, but no connection to it has succeeded for ${seconds} s`
      throw new Error(`${text}: ${(failure as Error).message}`, { cause: failure })
    }
    lastMs = nowMs
    await sleep(pollMs)
  }
}
