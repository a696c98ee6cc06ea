// Random histories of one workspace, and the trials of a rule as a plain reading of the rules of measuring finds them.

import type { Subject } from '../../../src/decisions/trials/phase.ts'
import type { JudgedExecution } from '../../../src/decisions/trials/read-executions.ts'
import { agentIdOf, type EventSeed, hexId } from '../../_kit/events.ts'
import type { Random } from '../../_kit/random.ts'

export const historyFromMs = Date.parse('2026-03-01T00:00:00Z')

/** Start times lie on a coarse grid, so that many are the same. */
const stepMs = 1_000
const dayUs = 86_400_000_000

export type History = {
  readonly seeds: EventSeed[]
  /** Traces that have not been settled, in hex. */
  readonly unsettled: Set<string>
}

const toIso = (ms: number): string => new Date(ms).toISOString()

/** About `count` events over `lengthMs`: tool calls of two tools by two agents, and model calls that consume some results. */
export function makeHistory(random: Random, count: number, lengthMs: number): History {
  const seeds: EventSeed[] = []
  const traces = Array.from({ length: Math.max(4, Math.floor(count / 5)) }, (_, at) => ({
    id: hexId(at + 1, 32),
    session: random.chance(0.6) ? `session ${random.int(4)}` : null,
    agent: random.pick(['coder', 'writer']),
    fromMs: historyFromMs + random.int(lengthMs / stepMs) * stepMs,
  }))
  const calls: { trace: string; callId: string }[] = []
  for (let at = 0; at < count; at += 1) {
    const trace = random.pick(traces)
    const startMs = trace.fromMs + random.int(60) * stepMs
    const place = { trace: trace.id, span: hexId(at + 1, 16), agent: trace.agent, session: trace.session }
    if (random.chance(0.7)) {
      const callId = random.chance(0.9) ? `call ${at}` : null
      if (callId !== null) calls.push({ trace: trace.id, callId })
      seeds.push({
        ...place,
        start: toIso(startMs),
        kind: 'tool',
        tool: random.chance(0.9) ? 'search' : 'fetch',
        inputHash: random.pick(['a', 'a', 'b', null]),
        callId,
        status: random.chance(0.1) ? 'error' : 'ok',
        served: random.chance(0.1),
        attested: random.chance(0.8),
        contentHash: random.pick(['same', 'same', 'same', 'other', null]),
        keyId: random.chance(0.85) ? 'key' : null,
        durationUs: random.pick([null, 0, 1, 500_000, 2_000_000, 90_000_000]),
      })
    } else {
      const consumed = Array.from({ length: random.int(5) }, () => calls[random.int(calls.length)]?.callId ?? 'none')
      const near = calls.filter((call) => call.trace === trace.id).map((call) => call.callId)
      const all = [...new Set([...consumed, ...near])]
      seeds.push({
        ...place,
        start: toIso(startMs),
        kind: 'llm',
        model: 'gpt-4o',
        consumed: all,
        read: all.filter(() => random.chance(0.3)),
      })
    }
  }
  return { seeds, unsettled: new Set(traces.filter(() => random.chance(0.15)).map(({ id }) => id)) }
}

const startUs = (seed: EventSeed): number => Date.parse(seed.start) * 1_000

const byPlace = (x: EventSeed, y: EventSeed): number =>
  startUs(x) - startUs(y) || (`${x.trace}${x.span}` < `${y.trace}${y.span}` ? -1 : 1)

/** Every execution that the rule matches, in order, each judged by a look at the whole history. */
export function readBruteForce(
  { seeds, unsettled }: History,
  subject: Subject,
  beganUs: number,
  endedUs: number,
): JudgedExecution[] {
  const { workspaceId, type, toolName, inputHash, agentId, freshnessS } = subject
  const matching = seeds
    .filter((seed) => seed.kind === 'tool' && seed.served !== true && seed.status !== 'error')
    .filter((seed) => seed.tool === toolName && (type !== 'reuse_identity' || seed.inputHash === inputHash))
    .filter((seed) => agentId === null || agentIdOf(workspaceId, seed.agent ?? '') === agentId)
    .sort(byPlace)
  const candidates = matching.filter((seed) => seed.attested === true && seed.contentHash != null && seed.keyId != null)
  const calls = seeds.filter((seed) => seed.kind === 'llm')

  return matching.flatMap((seed): JudgedExecution[] => {
    const atUs = startUs(seed)
    if (atUs < beganUs || atUs >= endedUs) return []
    const candidate = candidates
      .filter((one) => startUs(one) < atUs && startUs(one) + (one.durationUs ?? 0) <= atUs)
      .findLast((one) => startUs(one) > atUs - freshnessS * 1_000_000)
    const consumers = calls.filter(
      (call) =>
        seed.callId != null &&
        call.consumed?.includes(seed.callId) === true &&
        (call.trace === seed.trace ||
          (seed.session != null &&
            call.session === seed.session &&
            startUs(call) >= atUs &&
            startUs(call) < atUs + dayUs)),
    )
    const common = {
      startUs: atUs,
      traceId: seed.trace,
      spanId: seed.span,
      cluster: seed.session ?? seed.trace,
      inputHash: seed.inputHash ?? null,
    }
    if (candidate === undefined) return [{ ...common, candidate: null, matched: null, excludedReason: 'no_candidate' }]
    const served = { startUs: startUs(candidate), traceId: candidate.trace, spanId: candidate.span }
    if (type === 'reuse_identity') {
      const own = seed.contentHash ?? null
      const matched = own === null ? null : own === candidate.contentHash
      return [{ ...common, candidate: served, matched, excludedReason: own === null ? 'no_content_hash' : null }]
    }
    if (unsettled.has(seed.trace)) return [{ ...common, candidate: served, matched: null, excludedReason: 'pending' }]
    if (consumers.length === 0) return [{ ...common, candidate: served, matched: null, excludedReason: 'not_consumed' }]
    const isRead = consumers.some((call) => call.read?.includes(seed.callId ?? '') === true)
    return [{ ...common, candidate: served, matched: !isRead, excludedReason: null }]
  })
}
