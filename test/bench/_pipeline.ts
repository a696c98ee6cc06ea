// Clients without a credential that send many requests at once over each connection, in their own process. A connection that the service
// has closed is opened again.
import { connect, type Socket } from 'node:net'
import { answerParent } from './_child.ts'

export type PipelineQuestion = {
  readonly port: number
  readonly request: string
  readonly connections: number
  /** Requests in one write. It is repeated when as many answers have arrived. */
  readonly burst: number
  /** False: answers are never read. */
  readonly reads: boolean
  readonly durationMs: number
}
export type Pipelined = {
  readonly opened: number
  readonly answered: number
  /** The longest time that one connection was open. */
  readonly longestMs: number
}

/** Pause between the end of a connection and the next one: without it the client would mostly measure how connections are accepted. */
const reopenMs = 20
const statusLine = Buffer.from('HTTP/1.1 ')

answerParent(async ({ port, request, connections, burst, reads, durationMs }: PipelineQuestion) => {
  const bytes = Buffer.from(request.repeat(burst))
  const open = new Set<Socket>()
  let [opened, answered, longestMs] = [0, 0, 0]
  let isOver = false

  function start(): void {
    if (isOver) return
    const startedAtMs = performance.now()
    let due = burst
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    open.add(socket)
    opened += 1
    if (reads)
      socket.on('data', (data: Buffer) => {
        const answers = countAnswers(data)
        answered += answers
        due -= answers
        if (due > 0) return
        due = burst
        socket.write(bytes)
      })
    else socket.pause()
    socket.on('error', () => undefined)
    socket.on('close', () => {
      open.delete(socket)
      longestMs = Math.max(longestMs, performance.now() - startedAtMs)
      setTimeout(start, reopenMs)
    })
  }

  for (let nth = 0; nth < connections; nth += 1) start()
  await new Promise((done) => setTimeout(done, durationMs))
  isOver = true
  for (const socket of open) socket.destroy()
  return { opened, answered, longestMs } satisfies Pipelined
})

/** Counts status lines. One that is split between two reads is missed, and the burst is sent a little later. */
function countAnswers(data: Buffer): number {
  let count = 0
  for (let at = data.indexOf(statusLine); at >= 0; at = data.indexOf(statusLine, at + 1)) count += 1
  return count
}
