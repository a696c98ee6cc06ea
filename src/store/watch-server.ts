// Probes a running PostgreSQL with new connections, and decides when the server will not accept any again by itself.
import { pause } from '../base/pause.ts'
import { answerTimeoutMs, connectInTime, makeBriefClient } from './brief-client.ts'
import { endClient } from './end-client.ts'
import { readSqlstate } from './sqlstate.ts'

export type ServerState =
  /** Connected, or refused by a working server, for example because all its connections are in use. */
  | 'accepts'
  | 'shutting down'
  /** The server starts, or recovers after one of its processes has crashed. */
  | 'starting'
  /** Nothing listens on the port, or the listener does not answer in time. */
  | 'none'
  /** The connection ended during the handshake, or could not be tried. */
  | 'unclear'

/** How long each state may last, in ms. */
export type WatchLimits = {
  /**
   * A shutdown that this service did not request. If it waits for its clients to disconnect, it never ends, since the pools keep their
   * connections.
   */
  readonly shuttingDownMs: number
  /**
   * The state "starting" without a startup process. PostgreSQL has none while it ends its other processes after a crash, and it kills those
   * after 5 s.
   */
  readonly notRecoveringMs: number
  readonly noAnswerMs: number
}

export const watchLimits: WatchLimits = { shuttingDownMs: 3_000, notRecoveringMs: 7_000, noAnswerMs: 30_000 }

const askIntervalMs = 1_000
const cannotConnectNow = '57P03'

/** Opens one connection and closes it again. `onUnclear` is called with the error of an unclear answer. */
export async function askServer(url: string, onUnclear?: (error: unknown) => void): Promise<ServerState> {
  const client = makeBriefClient(url, 'tracewright-watch')
  try {
    await connectInTime(client)
  } catch (error) {
    const answer = readAnswer(error)
    if (answer === 'unclear') onUnclear?.(error)
    return answer
  }
  // Nothing depends on the close, so it is not awaited.
  void endClient(client)
  return 'accepts'
}

function readAnswer(error: unknown): ServerState {
  const { message, code } = error as NodeJS.ErrnoException
  const state = readSqlstate(error)
  // The server runs with LC_ALL=C, so its texts are never translated.
  if (state === cannotConnectNow) return message.endsWith('shutting down') ? 'shutting down' : 'starting'
  if (state !== null) return 'accepts'
  // The timeout has no code.
  return code === 'ECONNREFUSED' || message === 'timeout expired' ? 'none' : 'unclear'
}

/**
 * Returns a function that takes each answer and the time since the one before, in ms, and returns the reason once the server must be ended,
 * otherwise null. An answer counts for the time that one attempt may take and no longer: time in which the whole machine stood still proves
 * nothing.
 */
export function makeHealthJudge(
  isRecovering: () => boolean | null,
  limits: WatchLimits,
): (answer: ServerState, tookMs: number) => string | null {
  let state: ServerState = 'accepts'
  let lastedMs = 0
  return (answer, tookMs) => {
    if (answer === 'unclear') return null
    // If the system does not list processes, a recovery, which may take long, cannot be distinguished from one that has come to a halt.
    if (answer !== state || answer === 'accepts' || (answer === 'starting' && isRecovering() !== false)) lastedMs = 0
    else lastedMs += Math.min(tookMs, answer === 'none' ? askIntervalMs + answerTimeoutMs : askIntervalMs)
    state = answer
    const seconds = Math.round(lastedMs / 1_000)
    if (answer === 'shutting down' && lastedMs >= limits.shuttingDownMs)
      return `it has been shutting down for ${seconds} s and does not end`
    if (answer === 'starting' && lastedMs >= limits.notRecoveringMs)
      return `it reports that it is starting, but has had no startup process for ${seconds} s`
    if (answer === 'none' && lastedMs >= limits.noAnswerMs) return `it has not answered for ${seconds} s`
    return null
  }
}

export type WatchOptions = {
  readonly url: string
  /** Whether the startup process runs; null if the system does not list processes. */
  readonly isRecovering: () => boolean | null
  readonly limits: WatchLimits
  readonly onAnswer: (answer: ServerState) => void
  readonly signal: AbortSignal
}

/** Resolves with the reason why the server must be ended, or with null when the signal is aborted. */
export async function watchServer(options: WatchOptions): Promise<string | null> {
  const { url, isRecovering, limits, onAnswer, signal } = options
  const suspect = makeHealthJudge(isRecovering, limits)
  let lastMs = performance.now()
  while (!signal.aborted) {
    await pause(askIntervalMs, signal, { ref: false })
    if (signal.aborted) break
    const answer = await askServer(url)
    if (signal.aborted) break
    onAnswer(answer)
    const reason = suspect(answer, performance.now() - lastMs)
    lastMs = performance.now()
    if (reason !== null) return reason
  }
  return null
}
