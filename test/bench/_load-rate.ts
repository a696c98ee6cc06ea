// The caller at a fixed rate, in its own process: a request is due even if earlier ones are unanswered, and the latency of an answer counts
// from the time its request was due.
import { connect, type Socket } from 'node:net'
import { answerParent } from './_child.ts'

export type RateQuestion = {
  readonly port: number
  /** Sent in turn. */
  readonly requests: readonly string[]
  readonly connections: number
  readonly perS: number
  readonly warmMs: number
  readonly measureMs: number
}
/** Results by the index of the request. */
export type Rated = readonly { readonly answered: number; readonly medianMs: number; readonly p99Ms: number }[]

const tickMs = 1

answerParent(async ({ port, requests, connections, perS, warmMs, measureMs }: RateQuestion) => {
  const bytes = requests.map((request) => Buffer.from(request))
  const idle: Socket[] = []
  const due: { readonly nth: number; readonly dueMs: number }[] = []
  const taken = requests.map((): number[] => [])
  const startedAtMs = performance.now()
  const measureFromMs = startedAtMs + warmMs
  const endMs = measureFromMs + measureMs
  let sent = 0

  const work = (): void => {
    while (idle.length > 0 && due.length > 0) {
      const socket = idle.pop() as Socket
      const { nth, dueMs } = due.shift() as (typeof due)[number]
      // An answer fits into one packet of the loopback interface.
      socket.once('data', () => {
        if (dueMs >= measureFromMs) taken[nth]?.push(performance.now() - dueMs)
        idle.push(socket)
        work()
      })
      socket.write(bytes[nth] as Buffer)
    }
  }
  const sockets = await Promise.all(Array.from({ length: connections }, async () => await open(port)))
  idle.push(...sockets)
  await new Promise<void>((done) => {
    const timer = setInterval(() => {
      const nowMs = performance.now()
      const dueNow = ((Math.min(nowMs, endMs) - startedAtMs) / 1_000) * perS
      for (; sent < dueNow; sent += 1)
        due.push({ nth: sent % bytes.length, dueMs: startedAtMs + (sent / perS) * 1_000 })
      work()
      if (nowMs < endMs || idle.length < connections) return
      clearInterval(timer)
      done()
    }, tickMs)
  })
  for (const socket of sockets) socket.destroy()
  return taken.map(summarize) satisfies Rated
})

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  await new Promise<void>((done, fail) => socket.once('connect', done).once('error', fail))
  return socket
}

function summarize(times: readonly number[]): Rated[number] {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { answered: sorted.length, medianMs: at(0.5), p99Ms: at(0.99) }
}
