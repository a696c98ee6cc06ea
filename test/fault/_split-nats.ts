// Two NATS servers of one cluster, and the only connection between them.

import { findFreePorts } from '../_kit/free-port.ts'
import { startNats, type TestNats } from '../_kit/nats.ts'
import { openRelay } from '../_kit/relay.ts'
import type { SceneNats } from './_scene.ts'

/**
 * Resolves when the servers are joined; the parts in `far` connect to the second one. No server is advertised: servers learn no other
 * route, and clients no other address.
 */
export async function openSplitNats(far: readonly string[]): Promise<SceneNats> {
  const [nearPort = 0, farPort = 0] = await findFreePorts(2)
  const join = (port: number, more: string): string =>
    `cluster { name: split, listen: "127.0.0.1:${port}", no_advertise: true${more} }\n`
  const first = await startNats({ config: join(nearPort, '') })
  const route = await openRelay(nearPort)
  const second = await startNats({ config: join(farPort, `, routes: ["nats://127.0.0.1:${route.port}"]`) })
  const both = [first, second]
  const each = async (act: (server: TestNats) => Promise<void>): Promise<void> =>
    void (await Promise.all(both.map(act)))
  return {
    url: first.url,
    servers: both,
    route,
    urlOf: (name) => (far.includes(name) ? second : first).url,
    kill: (signal) => each((server) => server.kill(signal)),
    restart: () => each((server) => server.restart()),
    async stop() {
      await each((server) => server.stop())
      await route.stop()
    },
  }
}
