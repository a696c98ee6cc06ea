// node test/bench/floods.ts [seconds]: what one workspace waits for while another sends all it can of what is much work to read.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bomb, bombs } from './_bombs.ts'
import { type Flooded, flood, type Parcel } from './_flood.ts'
import { postSpans } from './_post.ts'
import { type BenchPostgres, startBenchPostgres } from './_postgres.ts'
import { type Figure, report } from './_report.ts'
import { startBenchService } from './_service.ts'
import { makeBatches } from './_spans.ts'
import { type Stops, withStops } from './_stops.ts'
import { makeTenant } from './_tenant.ts'

const measuredMs = Number(process.argv[2] ?? 10) * 1_000
const requestsPerS = 20
const connections = 32
/** Until the first bombs are being read. */
const headStartMs = 1_000

type Measured = {
  readonly bomb: Bomb
  readonly before: Flooded
  readonly during: Flooded
  readonly bombAnswers: Answers
}
type Answers = Readonly<Record<string, number>>

/** Sends bombs over all of the clients' connections until it is stopped; gives what was answered. */
function startBombing(baseUrl: string, key: string, bomb: Bomb): { stop(): Promise<Answers> } {
  const agent = new Agent({ keepAlive: true, maxSockets: bomb.clients })
  const answers: Record<string, number> = {}
  const over = new AbortController()
  const clients = Array.from({ length: bomb.clients }, async () => {
    while (!over.signal.aborted) {
      const { status } = await postSpans(agent, baseUrl, key, bomb.makeBody(), bomb.contentType)
      answers[String(status ?? 'broken')] = (answers[String(status ?? 'broken')] ?? 0) + 1
    }
  })
  return {
    async stop() {
      over.abort()
      await Promise.all(clients)
      agent.destroy()
      return answers
    },
  }
}

/** Requests of one ordinary span each, as many as are due in the time. */
async function sendSingles(baseUrl: string, key: string): Promise<Flooded> {
  const count = Math.ceil((requestsPerS * measuredMs) / 1_000) + 1
  const parcels = makeBatches(count, { spansInBatch: 1 }).map(({ body, spans }): Parcel => ({ key, body, spans }))
  return await flood({ baseUrl, parcels, requestsPerS, connections, durationMs: measuredMs })
}

/** The keys of two workspaces: of the one that is measured and of the one that floods. */
type Keys = { readonly other: string; readonly bomber: string }

async function makeKeys(baseUrl: string, postgres: BenchPostgres): Promise<Keys> {
  const [other, bomber] = [await makeTenant(baseUrl, postgres), await makeTenant(baseUrl, postgres)]
  return { other: other.key, bomber: bomber.key }
}

async function measure(baseUrl: string, { other, bomber }: Keys, bomb: Bomb): Promise<Measured> {
  await sendSingles(baseUrl, other)
  const before = await sendSingles(baseUrl, other)
  const bombing = startBombing(baseUrl, bomber, bomb)
  await sleep(headStartMs)
  const during = await sendSingles(baseUrl, other)
  return { bomb, before, during, bombAnswers: await bombing.stop() }
}

const refusals = ({ answers }: Flooded): number =>
  Object.entries(answers).reduce((sum, [status, requests]) => sum + (status === '200' ? 0 : requests), 0)

function describe({ bomb, before, during }: Measured): Figure[] {
  return [
    { name: `${bomb.name}: other workspace p50, before`, value: before.p50Ms, unit: 'ms' },
    { name: `${bomb.name}: other workspace p50, during`, value: during.p50Ms, unit: 'ms' },
    { name: `${bomb.name}: other workspace p99, before`, value: before.p99Ms, unit: 'ms' },
    { name: `${bomb.name}: other workspace p99, during`, value: during.p99Ms, unit: 'ms' },
    { name: `${bomb.name}: p99 during against before`, value: during.p99Ms / before.p99Ms, unit: '', ceiling: 2 },
    { name: `${bomb.name}: refused, before`, value: refusals(before), unit: 'requests', ceiling: 0 },
    { name: `${bomb.name}: refused, during`, value: refusals(during), unit: 'requests', ceiling: 0 },
  ]
}

async function main(stops: Stops): Promise<void> {
  const postgres = stops.add(await startBenchPostgres('plain'), async (server) => await server.stop())
  const { baseUrl } = await startBenchService(stops, postgres)
  const measured: Measured[] = []
  // Before anything else: to make a bomb stops this process for longer than the service keeps an idle connection.
  const keys: Keys[] = []
  while (keys.length < bombs.length) keys.push(await makeKeys(baseUrl, postgres))
  for (const [nth, makeBomb] of bombs.entries()) measured.push(await measure(baseUrl, keys[nth] as Keys, makeBomb()))
  const answers = Object.fromEntries(measured.map(({ bomb, bombAnswers }) => [bomb.name, bombAnswers]))
  report(
    'floods',
    { seconds: measuredMs / 1_000, requests_per_s: requestsPerS, bomb_answers: answers },
    measured.flatMap(describe),
  )
}

await withStops(main)
