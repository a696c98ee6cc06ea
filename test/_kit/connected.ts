// Opens a transport over NATS and waits for its first connection.
import { type NatsTransportOptions, openNatsTransport } from '../../src/bus/nats.ts'
import type { Transport } from '../../src/bus/transport.ts'
import { until } from './until.ts'

/** On a busy machine an attempt to connect may exceed its timeout, so errors before the first connection are not passed to `onError`. */
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
