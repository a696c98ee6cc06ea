// The caller of the HTTP bench, in its own process: the same request repeated over raw sockets, so that the caller costs less than what it
// measures. An answer as long as the previous one is not parsed.
import { connect } from 'node:net'
import { answerParent } from './_child.ts'

export type CallQuestion = {
  readonly port: number
  readonly request: string
  readonly connections: number
  readonly warmMs: number
  readonly measureMs: number
}
export type Called = { readonly requests: number; readonly seconds: number }

answerParent(async ({ port, request, connections, warmMs, measureMs }: CallQuestion) => {
  const clients = await Promise.all(Array.from({ length: connections }, async () => await openClient(port, request)))
  for (const client of clients) client.start()
  await pause(warmMs)
  const before = clients.reduce((sum, client) => sum + client.answered(), 0)
  const startedAtMs = performance.now()
  await pause(measureMs)
  const requests = clients.reduce((sum, client) => sum + client.answered(), 0) - before
  const seconds = (performance.now() - startedAtMs) / 1_000
  for (const client of clients) client.stop()
  return { requests, seconds } satisfies Called
})

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

async function openClient(port: number, request: string) {
  const bytes = Buffer.from(request)
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  await new Promise<void>((done, fail) => socket.once('connect', done).once('error', fail))
  let usual = 0
  let pending = Buffer.alloc(0)
  let answered = 0
  const next = (): void => {
    answered += 1
    socket.write(bytes)
  }
  socket.on('data', (data: Buffer) => {
    // Nearly always: one whole answer, as long as the previous one.
    if (pending.length === 0 && data.length === usual && expected.has(data[9])) return next()
    pending = Buffer.concat([pending, data])
    for (let length = readLength(pending); length > 0 && pending.length >= length; length = readLength(pending)) {
      pending = pending.subarray(length)
      usual = length
      next()
    }
  })
  return { start: () => void socket.write(bytes), answered: () => answered, stop: () => void socket.destroy() }
}

// First digits of accepted statuses, at their offset after "HTTP/1.1 ".
const expected = new Set<number | undefined>(Buffer.from('234'))

/** Returns the bytes of the whole answer; 0 while its head is incomplete. Throws on a status other than 200, 304 and 404. */
function readLength(answer: Buffer): number {
  const head = answer.indexOf('\r\n\r\n')
  if (head < 0) return 0
  const text = answer.toString('latin1', 0, head)
  const status = /^HTTP\/1\.1 (\d+) /.exec(text)?.[1]
  if (status === '304') return head + 4
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
  if ((status !== '200' && status !== '404') || length === undefined)
    throw new Error(`an answer that was not expected: ${text.slice(0, 80)}`)
  return head + 4 + Number(length)
}
