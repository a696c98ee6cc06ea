// Sends the history, a few requests at a time.
import { type HistoryOptions, tellHistory } from './history.ts'
import { exportSpans } from './interface.ts'
import { showProgress } from './progress.ts'

const inFlight = 3

export type Sent = {
  traces: number
  spans: number
  bytes: number
  requests: number
  rejected: number
  /** The message of the first answer that rejected spans. */
  message: string
  seconds: number
}

/** Resolves when every request has been answered; an answer of 200 means that the spans are stored. */
export async function sendHistory(url: string, key: string, options: HistoryOptions): Promise<Sent> {
  const sent: Sent = { traces: 0, spans: 0, bytes: 0, requests: 0, rejected: 0, message: '', seconds: 0 }
  const startedAtMs = performance.now()
  const progress = showProgress('Sending', options.traces)
  const requests = tellHistory(options)
  // The senders share one iterator: each takes the next request when its last one is answered.
  const send = async (): Promise<void> => {
    for (const { body, traces, spans } of requests) {
      const { rejected, message } = await exportSpans(url, key, body)
      sent.traces += traces
      sent.spans += spans
      sent.bytes += body.byteLength
      sent.requests += 1
      sent.rejected += rejected
      if (sent.message === '') sent.message = message
      progress.at(sent.traces)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, send))
  progress.end()
  sent.seconds = (performance.now() - startedAtMs) / 1_000
  return sent
}
