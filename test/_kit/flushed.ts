// Waits until all that was sent before, including subscriptions, has reached the other side.
import { type Transport, Unavailable } from '../../src/bus/transport.ts'

/** Flushes again if the machine stalled for longer than a flush may take. */
export async function flushed(transport: Pick<Transport, 'flush'>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transport.flush()
    } catch (error) {
      if (!(error instanceof Unavailable) || attempt === 10) throw error
    }
  }
}
