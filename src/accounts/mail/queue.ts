// The mail queue: mails are prepared and sent after the answer, a few at a time and each with a few retries; the number of waiting mails is
// limited. Mails are only in memory: if the process ends and loses one, its user must request it again.
import { pause } from '../../base/pause.ts'
import { makeSemaphore } from '../../base/semaphore.ts'
import { withTimeout } from '../../base/within.ts'
import { type Mail, MailFault, type SendMail } from './smtp.ts'

export type MailQueue = {
  /** Never throws and never blocks. `prepare` returns the mail, or null if there is none to send. */
  readonly add: (prepare: () => Promise<Mail | null>) => void
  /** Drops waiting mails, and after a few seconds aborts those that are still being sent. */
  readonly stop: () => Promise<void>
}

type Deps = {
  readonly smtp: SendMail
  /** Called for each mail that was given up, with the error. */
  readonly onError: (error: unknown, doing: string) => void
  readonly retryAfterMs?: readonly number[]
}

const concurrent = 2
const maxWaiting = 100
const retriesAfterMs = [2_000, 15_000]
const stopMs = 3_000

export function makeMailQueue({ smtp, onError, retryAfterMs = retriesAfterMs }: Deps): MailQueue {
  const slots = makeSemaphore(concurrent, maxWaiting)
  const running = new Set<Promise<void>>()
  const ending = new AbortController()
  const cut = new AbortController()

  async function deliver(prepare: () => Promise<Mail | null>): Promise<void> {
    let mail: Mail | null | undefined
    for (let attempt = 0; ; attempt += 1) {
      if (ending.signal.aborted) throw new Error('the process stopped before the mail was sent')
      try {
        mail ??= await prepare()
        if (mail === null) return
        return await smtp.send(mail, cut.signal)
      } catch (error) {
        const pauseMs = retryAfterMs[attempt]
        if (pauseMs === undefined || (error instanceof MailFault && error.isFinal) || ending.signal.aborted) throw error
        // A stop ends the sleep early; the next iteration of the loop throws its error.
        await pause(pauseMs, ending.signal)
      }
    }
  }

  return {
    add: (prepare) => {
      const delivery = slots
        .run(async () => await deliver(prepare))
        .catch((error: unknown) => onError(error, 'sending mail'))
      running.add(delivery)
      void delivery.finally(() => running.delete(delivery))
    },
    stop: async () => {
      ending.abort()
      await withTimeout(stopMs, Promise.all(running))
      cut.abort()
      await Promise.all(running)
    },
  }
}
