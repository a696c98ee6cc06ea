// The lower bound of the HTTP bench: plain node:http that answers prepared bytes.
import { createServer } from 'node:http'
import { answerParent } from './_child.ts'

export type BareQuestion = {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: Uint8Array | null
}

answerParent(async ({ status, headers, body }: BareQuestion) => {
  const flat = [...headers]
  const server = createServer((_request, response) => {
    response.writeHead(status, flat)
    response.end(body ?? undefined)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as { port: number }).port
})
