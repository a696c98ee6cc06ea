// node test/bench/bus.ts: request and reply by the transport, over NATS to another process and within one process.
import { openLocalTransport } from '../../src/bus/local.ts'
import { openNatsTransport } from '../../src/bus/nats.ts'
import { NoResponders, type Transport } from '../../src/bus/transport.ts'
import { startNats } from '../_kit/nats.ts'
import { startChild } from './_child.ts'
import { median, report } from './_report.ts'
import { type Stops, withStops } from './_stops.ts'

const perS = 2_000
const roundMs = 3_000
const rounds = 5
const inFlight = 64
// The size of a reservation.
const body = new Uint8Array(200).fill(97)
const subject = 'tw.p.17.3xabcdef.reserve'
const timeoutMs = 5_000

type Round = { readonly p50: number; readonly p99: number; readonly perS: number }

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN

/** Sends requests at a fixed rate, even if answers do not keep up; each is timed from its own sending. */
async function pace(transport: Transport): Promise<Round> {
  const timesMs: number[] = []
  const asking: Promise<void>[] = []
  const ask = async (): Promise<void> => {
    const sentAtMs = performance.now()
    await transport.request(subject, body, { timeoutMs })
    timesMs.push(performance.now() - sentAtMs)
  }
  const startedAtMs = performance.now()
  for (let elapsedMs = 0; elapsedMs < roundMs; elapsedMs = performance.now() - startedAtMs) {
    while (asking.length < (elapsedMs * perS) / 1_000) asking.push(ask())
    await new Promise((turn) => setTimeout(turn, 1))
  }
  await Promise.all(asking)
  const seconds = (performance.now() - startedAtMs) / 1_000
  timesMs.sort((a, b) => a - b)
  return { p50: quantile(timesMs, 0.5), p99: quantile(timesMs, 0.99), perS: timesMs.length / seconds }
}

/** Counts requests answered with a fixed number of them in flight. */
async function rush(transport: Transport): Promise<number> {
  const startedAtMs = performance.now()
  let answered = 0
  const worker = async (): Promise<void> => {
    for (; performance.now() - startedAtMs < roundMs / 3; answered += 1)
      await transport.request(subject, body, { timeoutMs })
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  return answered / ((performance.now() - startedAtMs) / 1_000)
}

/** Measures how long it takes to learn that a subject has no responder. */
async function askNobody(transport: Transport): Promise<number> {
  const timesMs: number[] = []
  for (let n = 0; n < 1_000; n += 1) {
    const sentAtMs = performance.now()
    const error: unknown = await transport.request(`tw.none.${n}`, body, { timeoutMs }).catch((e: unknown) => e)
    if (!(error instanceof NoResponders)) throw new Error('somebody answered')
    timesMs.push(performance.now() - sentAtMs)
  }
  return median(timesMs)
}

async function main(stops: Stops): Promise<void> {
  const onError = (error: unknown): void => {
    throw error
  }
  const nats = stops.add(await startNats(), (server) => server.stop())
  const echo = stops.add(startChild('./_bus-echo.ts'), (child) => child.end())
  await echo.ask({ url: nats.url })
  const over = stops.add(await openNatsTransport({ address: { url: nats.url }, name: 'bench', onError }), (one) =>
    one.stop(),
  )
  const within = stops.add(openLocalTransport({ onError }), (one) => one.stop())
  within.serve('tw.p.*.*.*', (asked) => Promise.resolve(asked))

  const figures = []
  for (const [name, transport] of [
    ['NATS', over],
    ['in process', within],
  ] as const) {
    await pace(transport)
    const paced: Round[] = []
    const most: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      paced.push(await pace(transport))
      most.push(await rush(transport))
    }
    for (const quantileName of ['p50', 'p99'] as const) {
      const runs = paced.map((round) => round[quantileName])
      figures.push({ name: `${name}: ${quantileName} at ${perS} a second`, value: median(runs), unit: 'ms', runs })
    }
    figures.push({
      name: `${name}: the pace that was held`,
      value: median(paced.map((round) => round.perS)),
      unit: '/s',
    })
    figures.push({ name: `${name}: with ${inFlight} open at once`, value: median(most), unit: '/s', runs: most })
    figures.push({ name: `${name}: learning that nobody serves, p50`, value: await askNobody(transport), unit: 'ms' })
  }
  report('bus', { body_bytes: body.length, rounds }, figures)
}

await withStops(main)
