// The whole history as requests that are ready to be sent: each trace is complete within one request.
import { gzipSync } from 'node:zlib'
import { encodeRequest, makeResourceSpans, type OtlpResourceSpans } from '../_kit/spans.ts'
import { makeChance } from './chance.ts'
import type { DemoAgent } from './fleet/agent.ts'
import { pickAgent, pickWho } from './fleet/fleet.ts'
import { dateOf, spreadOverDays, storyEndMs } from './rhythm.ts'
import { openRun } from './run.ts'

export type HistoryOptions = {
  readonly seed: number
  readonly traces: number
  readonly days: number
  /** Unix milliseconds of the latest possible start of a run. */
  readonly endMs: number
}

export type Request = { readonly body: Uint8Array; readonly traces: number; readonly spans: number }

const spansPerRequest = 600

const resourceOf = (agent: DemoAgent) => ({
  'service.name': agent.service,
  'service.version': agent.version,
  'deployment.environment.name': 'production',
})

/** Yields requests, oldest first, as gzipped protobuf. The same seed and end give the same bytes. */
export function* tellHistory({ seed, traces, days, endMs }: HistoryOptions): Generator<Request> {
  let pending: OtlpResourceSpans[] = []
  let spanCount = 0
  const close = (): Request => {
    const request = { body: gzipSync(encodeRequest(pending)), traces: pending.length, spans: spanCount }
    pending = []
    spanCount = 0
    return request
  }
  const starts = spreadOverDays(makeChance(seed), traces, days)
  for (const [index, toldMs] of starts.entries()) {
    const startMs = toldMs - storyEndMs + endMs
    const chance = makeChance(seed, index)
    // Ids depend on the end: the same history sent again later makes new traces, not traces with two beginnings.
    const ids = makeChance(seed, index, Math.floor(endMs / 60_000))
    const agent = pickAgent(chance)
    const { run, spans } = openRun({ chance, ids, dialect: agent.dialect, startMs })
    agent.work(run, chance, pickWho(agent, chance, dateOf(toldMs, endMs)))
    pending.push(makeResourceSpans({ resource: resourceOf(agent), scope: agent.dialect.scope, spans }))
    spanCount += spans.length
    if (spanCount >= spansPerRequest) yield close()
  }
  if (pending.length > 0) yield close()
}
