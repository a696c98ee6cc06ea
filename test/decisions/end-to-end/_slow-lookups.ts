// An HTTP proxy that delays each answer to a look-up of a stored result, as if the service were far away for look-ups alone.
import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export type SlowLookups = { readonly baseUrl: string; readonly stop: () => Promise<void> }

const isLookup = ({ method, url }: IncomingMessage): boolean =>
  method === 'GET' && url?.startsWith('/v1/apply/tool-result?') === true

/** Other requests, such as rules and spans, pass at once. */
export async function openSlowLookups(target: string, delayMs: number): Promise<SlowLookups> {
  const agent = new Agent({ keepAlive: true })
  // As the service. With Node's five seconds, a request after a pause meets a connection that closes.
  const server = createServer({ keepAliveTimeout: 65_000 }, (question, reply) => {
    const { method, headers } = question
    const forwarded = request(new URL(question.url ?? '/', target), { agent, method, headers }, (answer) => {
      const pass = (): void => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(reply)
      }
      if (isLookup(question)) setTimeout(pass, delayMs)
      else pass()
    })
    forwarded.on('error', () => reply.destroy())
    reply.on('close', () => forwarded.destroy())
    question.pipe(forwarded)
  })
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      agent.destroy()
      await closed
    },
  }
}
