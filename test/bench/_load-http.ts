// The caller of the HTTP bench, in a process of its own: the same bytes again and again over raw sockets, so that it costs
// less than what it measures. It learns the length of the answer from the first one and counts bytes from then on.
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
  let answerBytes = 0
  let received = 0
  let answered = 0
  let first = ''
  socket.on('data', (data) => {
    if (answerBytes === 0) {
      first += data.toString('latin1')
      answerBytes = readLength(first)
      if (answerBytes === 0 || first.length < answerBytes) {
        answerBytes = 0
        return
      }
      received = first.length - data.length
    }
    received += data.length
    while (received >= answerBytes) {
      received -= answerBytes
      answered += 1
      socket.write(bytes)
    }
  })
  return { start: () => void socket.write(bytes), answered: () => answered, stop: () => void socket.destroy() }
}

/** Bytes of the whole answer; 0 while its head is not complete. Throws on what is neither 200 nor 304. */
function readLength(text: string): number {
  const head = text.indexOf('\r\n\r\n')
  if (head < 0) return 0
  if (!/^HTTP\/1\.1 (200|304) /.test(text)) throw new Error(`an answer that was not expected: ${text.slice(0, 80)}`)
  return head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
}
