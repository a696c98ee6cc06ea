// A transport over NATS that has its first connection.
import { type NatsTransportOptions, openNatsTransport } from '../../src/bus/nats.ts'
import type { Transport } from '../../src/bus/transport.ts'
import { until } from './until.ts'

/** On a busy machine a try to connect may take longer than it is given: `onError` is not told of those before the first connection. */
export async function openConnected(options: NatsTransportOptions): Promise<Transport> {
  let isUp = false
  const transport = await openNatsTransport({
    ...options,
    onError(error, subject) {
      if (isUp) options.onError(error, subject)
    },
  })
  const forget = transport.onState((state) => {
    isUp ||= state === 'up'
  })
  await until(() => isUp)
  forget()
  return transport
}
