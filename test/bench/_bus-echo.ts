// The replying side of the bus bench: a process that answers requests, as the host of an actor does.
import { openNatsTransport } from '../../src/bus/nats.ts'
import { answerParent } from './_child.ts'

answerParent(async ({ url }: { readonly url: string }) => {
  const onError = (error: unknown): void => {
    throw error
  }
  const transport = await openNatsTransport({ address: { url }, name: 'bench-echo', onError })
  transport.serve('tw.p.*.*.*', (body) => Promise.resolve(body))
  await transport.flush()
  return true
})
