// The messaging between the parts of a process, and between the processes of a cluster.
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { makeNotices, type Notices } from '../actors/notices.ts'
import { openLocalTransport } from '../bus/local.ts'
import type { openNatsTransport } from '../bus/nats.ts'
import type { Transport } from '../bus/transport.ts'
import type { Config } from '../config.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'

export type Bus = {
  /** Carries requests to the owners of partitions, in this process or another one. */
  readonly transport: Transport
  readonly notices: Notices
  /** Stable across restarts. */
  readonly member: string
  /** Random, and new with each start. */
  readonly boot: string
  /** True if there may be other processes. */
  readonly isClustered: boolean
  /** The listener is called after each loss of the connection, since notices may have been lost. */
  onGap(listener: () => void): void
  stop(): Promise<void>
}

/** Null for a process without a cluster, which does not load the code of NATS. */
export type OpenNetwork = typeof openNatsTransport | null

/** Also resolves without a connection, and then keeps trying. Throws if NATS refuses the login, or if its settings are wrong. */
export async function openBus(config: Config, log: Log, metrics: Metrics, openNetwork: OpenNetwork): Promise<Bus> {
  const boot = randomBytes(3).toString('hex')
  const member =
    config.MEMBER_NAME ??
    hostname()
      .replaceAll(/[^A-Za-z0-9_-]/g, '-')
      .slice(0, 64)
  const here = openLocalTransport({
    onError: (error, subject) => log.error({ error, subject }, 'handling a message failed'),
  })
  const { NATS_URL: url } = config
  if (url === undefined || openNetwork === null) {
    const notices = makeNotices(here)
    return { transport: here, notices, member, boot, isClustered: false, onGap: () => undefined, stop: here.stop }
  }
  const network = await openNetwork({
    address: readAddress(url, config),
    name: `tracewright-${member}`,
    ...(config.NATS_PREFIX === undefined ? {} : { prefix: config.NATS_PREFIX }),
    onError: (error, subject) => log.warn({ error, subject }, 'NATS reported an error'),
  })
  const gaps = watchGaps(network, metrics)
  return {
    transport: network,
    notices: makeNotices(here, { channel: network, boot }),
    member,
    boot,
    isClustered: true,
    onGap: (listener) => void gaps.listeners.push(listener),
    async stop() {
      gaps.stop()
      await network.stop()
      await here.stop()
    },
  }
}

function readAddress(url: string, config: Config) {
  const { NATS_CREDS_FILE: creds, NATS_CA_FILE: ca, NATS_CERT_FILE: cert, NATS_KEY_FILE: key } = config
  return {
    url,
    ...(creds === undefined ? {} : { credsFile: creds }),
    ...(ca === undefined ? {} : { caFile: ca }),
    ...(cert === undefined ? {} : { certFile: cert }),
    ...(key === undefined ? {} : { keyFile: key }),
  }
}

function watchGaps(network: Transport, metrics: Metrics) {
  const listeners: (() => void)[] = []
  let wasDown = false
  metrics.watch('tracewright_nats_up', '1 if this process is connected to NATS, else 0', () => (wasDown ? 0 : 1))
  const gaps = metrics.counter('tracewright_nats_gaps_total', 'Number of times the connection to NATS was lost', [])
  const stop = network.onState((state) => {
    if (state === 'down' && !wasDown) gaps.inc()
    const isBack = state === 'up' && wasDown
    wasDown = state === 'down'
    if (!isBack) return
    // Notices arrive only after the flush. If the connection is lost again before that, the next reconnect calls the listeners.
    network.flush().then(
      () => {
        for (const listener of listeners) listener()
      },
      () => undefined,
    )
  })
  return { listeners, stop }
}
