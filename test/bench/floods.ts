// node test/bench/floods.ts [seconds [name]]: the latency of single spans of one workspace while another client sends as much expensive
// work as it can. The measured client has its own process, since it must not wait for the flooding ones.
import { Agent } from 'node:http'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { maxPipelined } from '../../src/web/in-turn.ts'
import { type Bomb, bombNames, makeBomb } from './_bombs.ts'
import { type Child, startChild } from './_child.ts'
import type { Flooded } from './_flood.ts'
import type { LoadQuestion } from './_load-ingest.ts'
import type { PipelineQuestion } from './_pipeline.ts'
import { postSpans } from './_post.ts'
import { startBenchPostgres } from './_postgres.ts'
import { type Figure, report } from './_report.ts'
import { startBenchService } from './_service.ts'
import { type Stops, withStops } from './_stops.ts'
import { makeTenant } from './_tenant.ts'

const measuredMs = Number(process.argv[2] ?? 10) * 1_000
const onlyName = process.argv[3] ?? ''
const requestsPerS = 20
const connections = 32
/** Until the service reads the first bombs. */
const headStartMs = 1_000
const pipeliningConnections = 100

type Answers = Readonly<Record<string, number>>
type Flooding = { stop(): Promise<Answers> }
type Target = { readonly baseUrl: string; readonly key: string }
/** Starts a flood, with the key of a workspace where it needs one. */
type Start = (target: Target) => Flooding

type Measured = {
  readonly name: string
  readonly before: Flooded
  readonly during: Flooded
  readonly answers: Answers
}

/** Sends bombs over all connections of the clients until it is stopped. Returns the answers by status. */
const startBombing =
  (bomb: Bomb): Start =>
  ({ baseUrl, key }) => {
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

/** Clients without a credential that request the OpenAPI document repeatedly, and either read the answers or never do. */
const startPipelining =
  (pipeliner: Child, reads: boolean): Start =>
  ({ baseUrl }) => {
    const question: PipelineQuestion = {
      port: Number(new URL(baseUrl).port),
      request: 'GET /openapi.json HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n',
      connections: pipeliningConnections,
      burst: maxPipelined,
      reads,
      durationMs: headStartMs + measuredMs,
    }
    const ended = pipeliner.ask<Answers>(question)
    return { stop: async () => await ended }
  }

/** Sends requests of one ordinary span each at a fixed rate. */
async function sendSingles(load: Child, { baseUrl, key }: Target): Promise<Flooded> {
  const ask = async <Answer>(question: LoadQuestion): Promise<Answer> => await load.ask<Answer>(question)
  const batches = Math.ceil((requestsPerS * measuredMs) / 1_000) + 1
  await ask({ do: 'make', batches, shape: { spansInBatch: 1 } })
  const rate = { spansPerS: requestsPerS, connections, durationMs: measuredMs }
  return await ask<Flooded>({ do: 'flood', baseUrl, keys: [key], ...rate })
}

type Targets = { readonly other: Target; readonly flooder: Target }

async function measure(name: string, load: Child, { other, flooder }: Targets, start: Start): Promise<Measured> {
  await sendSingles(load, other)
  const before = await sendSingles(load, other)
  const flooding = start(flooder)
  await sleep(headStartMs)
  const during = await sendSingles(load, other)
  return { name, before, during, answers: await flooding.stop() }
}

const refusals = ({ answers }: Flooded): number =>
  Object.entries(answers).reduce((sum, [status, requests]) => sum + (status === '200' ? 0 : requests), 0)

function describe({ name, before, during }: Measured): Figure[] {
  return [
    { name: `${name}: other workspace p50, before`, value: before.p50Ms, unit: 'ms' },
    { name: `${name}: other workspace p50, during`, value: during.p50Ms, unit: 'ms' },
    { name: `${name}: other workspace p99, before`, value: before.p99Ms, unit: 'ms' },
    { name: `${name}: other workspace p99, during`, value: during.p99Ms, unit: 'ms' },
    { name: `${name}: p99 during against before`, value: during.p99Ms / before.p99Ms, unit: '', ceiling: 2 },
    { name: `${name}: refused, before`, value: refusals(before), unit: 'requests', ceiling: 0 },
    { name: `${name}: refused, during`, value: refusals(during), unit: 'requests', ceiling: 0 },
  ]
}

async function main(stops: Stops): Promise<void> {
  const postgres = stops.add(await startBenchPostgres('plain'), async (server) => await server.stop())
  const load = stops.add(startChild('./_load-ingest.ts'), async (child) => await child.end())
  const pipeliner = stops.add(startChild('./_pipeline.ts'), async (child) => await child.end())
  const { baseUrl } = await startBenchService(stops, postgres)
  // Flooding clients would have their own machines. Here they must not take CPU from the service and from the measured client.
  for (const { pid } of [process, pipeliner]) setPriority(pid, constants.priority.PRIORITY_LOW)
  const makeTarget = async (): Promise<Target> => ({ baseUrl, key: (await makeTenant(baseUrl, postgres)).key })
  const cases: (readonly [name: string, open: () => Start])[] = [
    ...bombNames.map((name) => [name, () => startBombing(makeBomb(name))] as const),
    [`${pipeliningConnections} pipelining clients`, () => startPipelining(pipeliner, true)],
    [`${pipeliningConnections} clients that do not read`, () => startPipelining(pipeliner, false)],
  ]
  const chosen = cases.filter(([name]) => name.includes(onlyName))
  // Done first: making a bomb blocks this process for longer than the service keeps an idle connection.
  const targets: Targets[] = []
  while (targets.length < chosen.length) targets.push({ other: await makeTarget(), flooder: await makeTarget() })
  const measured: Measured[] = []
  for (const [nth, [name, open]] of chosen.entries())
    measured.push(await measure(name, load, targets[nth] as Targets, open()))
  const answers = Object.fromEntries(measured.map((one) => [one.name, one.answers]))
  report(
    'floods',
    { seconds: measuredMs / 1_000, requests_per_s: requestsPerS, flood_answers: answers },
    measured.flatMap(describe),
  )
}

await withStops(main)
