// What the large data set contains: its sizes, its workspaces and agents, and each trace by its number. The same seed gives the same rows,
// in whatever order and by whichever thread they are made.
import { createHash } from 'node:crypto'

export const sizes = { '1m': 1_000_000, '10m': 10_000_000, '50m': 50_000_000 } as const
export type Size = keyof typeof sizes

export const spansInTrace = 12
/** The large workspace has at most this many events; the rest of a set belongs to the other workspaces. */
const mostInLarge = 10_000_000
export const otherWorkspaces = 39

const dayUs = 86_400_000_000
export const days = 30
/** The window of every set, in microseconds. It is fixed, so that two runs read the same rows. */
export const endUs = Date.parse('2026-11-01T00:00:00Z') * 1_000
export const startUs = endUs - days * dayUs

/** The last agent is seen for the first 10 days only. */
export const agentNames = ['support', 'research', 'coder', 'planner', 'critic', 'billing', 'triage', 'retired']
const retiredAgent = agentNames.length - 1
export const retiredAfterUs = 10 * dayUs

export const models = [
  { name: 'gpt-4.1-mini', provider: 'openai', inputUsd: 0.4e-6, outputUsd: 1.6e-6, weight: 34 },
  { name: 'gpt-4.1', provider: 'openai', inputUsd: 2e-6, outputUsd: 8e-6, weight: 24 },
  { name: 'claude-sonnet-4', provider: 'anthropic', inputUsd: 3e-6, outputUsd: 15e-6, weight: 20 },
  { name: 'gemini-2.5-pro', provider: 'google', inputUsd: 1.25e-6, outputUsd: 10e-6, weight: 12 },
  { name: 'gpt-4o', provider: 'openai', inputUsd: 2.5e-6, outputUsd: 10e-6, weight: 8 },
  { name: 'claude-opus-4', provider: 'anthropic', inputUsd: 15e-6, outputUsd: 75e-6, weight: 2 },
] as const

export const toolNames = [
  'search_catalogue',
  'fetch_page',
  'read_file',
  'run_tests',
  'query_orders',
  'send_email',
  'get_weather',
  'create_ticket',
  'lookup_customer',
  'list_files',
  'translate',
  'calculate',
]
/** Called this many times in the large workspace, spread over the whole window. */
export const rareTool = { name: 'rare_export', times: 50 } as const

export type Layout = {
  readonly events: number
  /** Traces of all workspaces. */
  readonly traces: number
  /** Every nth trace belongs to the large workspace. */
  readonly everyNth: number
  readonly largeTraces: number
}

/** Returns the number of traces of a set, and how they are divided between workspaces. */
export function layOut(size: Size): Layout {
  const everyNth = Math.max(1, sizes[size] / mostInLarge)
  const largeTraces = Math.ceil(sizes[size] / everyNth / spansInTrace)
  const traces = largeTraces * everyNth
  return { events: traces * spansInTrace, traces, everyNth, largeTraces }
}

/** Returns the id of the workspace at an index: 0 is the large one. */
export const workspaceIdAt = (place: number): string => uuidOf(`workspace/${place}`)
export const agentIdAt = (place: number, agent: number): string => uuidOf(`workspace/${place}/agent/${agent}`)

function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export type TraceFacts = {
  readonly workspace: number
  readonly agent: number
  readonly startUs: number
  /** Number of the session within the workspace; about five traces share one. */
  readonly session: number
  readonly isRare: boolean
  /** Seed of all other values of the trace. */
  readonly seed: number
}

const agentWeights = [30, 20, 15, 12, 10, 8, 5]

/** Returns the facts of the trace at an index, in order of start. */
export function readTrace(layout: Layout, at: number): TraceFacts {
  const seed = mix(at)
  const isLarge = at % layout.everyNth === 0
  // Squared, so that a few of the other workspaces are busy and most are not.
  const share = (mix(seed) >>> 0) / 2 ** 32
  const workspace = isLarge ? 0 : 1 + Math.floor(share * share * otherWorkspaces)
  const nth = isLarge ? at / layout.everyNth : at
  const sinceUs = placeInTime(at / layout.traces)
  const rareStep = Math.floor(layout.largeTraces / rareTool.times)
  const isRetired = sinceUs < retiredAfterUs && mix(seed + 1) % 100 < 3
  return {
    workspace,
    agent: isRetired ? retiredAgent : pickWeighted(agentWeights, mix(seed + 2)),
    startUs: startUs + sinceUs,
    // Seven conversations run at a time.
    session: Math.floor(nth / 35) * 7 + (nth % 7),
    isRare: isLarge && nth % rareStep === 7 && nth < rareStep * rareTool.times,
    seed,
  }
}

/** Returns microseconds since the start, busier by day than by night. The last trace ends before the window does. */
function placeInTime(share: number): number {
  const evenUs = share * (days * dayUs - 600_000_000)
  const swing = 0.3
  return Math.floor(evenUs + ((swing * dayUs) / (2 * Math.PI)) * (1 - Math.cos((2 * Math.PI * evenUs) / dayUs)))
}

export function pickWeighted(weights: readonly number[], random: number): number {
  let sum = 0
  for (let place = 0; place < weights.length; place += 1) sum += weights[place] ?? 0
  let left = random % sum
  let place = 0
  for (; left >= (weights[place] ?? sum); place += 1) left -= weights[place] ?? 0
  return place
}

/** Returns a pseudo-random whole number below 2^32 (murmur3's last step). */
export function mix(value: number): number {
  let mixed = (value + 0x9e3779b9) | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
