// The time window of a page: a preset, which moves with the clock, or two fixed bounds.
import { defaultPreset, isPreset, measurePreset, type Preset, presets } from './presets.ts'
import { changeSearch, type Search } from './search.ts'

/** Times in UTC, as the API expects them; `from` is included, `to` is not. */
export type Bounds = { readonly from: string; readonly to: string }

/** A parameter that was ignored, and why. */
export type Ignored = { readonly name: string; readonly value: string; readonly why: string }

export type TimeWindow = Bounds & {
  /** Null: the bounds are fixed. */
  readonly preset: Preset | null
  readonly ignored: readonly Ignored[]
}

/** What a window is changed to. */
export type Target = Preset | Bounds

const maxMs = 400 * 86_400_000

const parse = (time: string): number => Date.parse(time)
const show = (ms: number): string => new Date(ms).toISOString()
const toBounds = (fromMs: number, toMs: number): Bounds => ({ from: show(fromMs), to: show(toMs) })

/** Reads `range`, or `from_time` and `to_time`, which take precedence. `nowMs`: the clock of the page, which is the end of a preset. */
export function readWindow(search: Search, nowMs: number, zone = 'UTC'): TimeWindow {
  const { range, from_time: from, to_time: to } = search
  const fault = from === undefined && to === undefined ? 'absent' : findFault(from, to)
  const ignored: Ignored[] = []
  if (fault !== 'absent' && fault !== null) ignored.push(...nameBounds(from, to, fault))
  const isRange = range !== undefined && isPreset(range)
  if (range !== undefined && !isRange) {
    ignored.push({ name: 'range', value: range, why: `expected ${presets.map((preset) => preset.range).join(', ')}` })
  }
  if (fault === null && from !== undefined && to !== undefined) {
    if (isRange) ignored.push({ name: 'range', value: range, why: 'from_time and to_time take precedence' })
    return { from, to, preset: null, ignored }
  }
  const preset = isRange ? range : defaultPreset
  return { ...toBounds(nowMs - measurePreset(preset, nowMs, zone), nowMs), preset, ignored }
}

const nameBounds = (from: string | undefined, to: string | undefined, why: string): Ignored[] =>
  Object.entries({ from_time: from, to_time: to }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value, why }],
  )

/** Returns what is wrong with a pair of bounds; null if they are valid. */
export function findFault(from: string | undefined, to: string | undefined): string | null {
  if (from === undefined || to === undefined) return 'from_time and to_time must be set together'
  if (!isUtcTime(from) || !isUtcTime(to)) return 'expected a time in UTC such as 2026-11-20T14:00:00Z'
  if (parse(from) >= parse(to)) return 'from_time must be earlier than to_time'
  return parse(to) - parse(from) > maxMs ? 'the window can be at most 400 days long' : null
}

/** Date.parse reads February 30 as March 2, so the parsed time must equal the text. */
function isUtcTime(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/.test(text)) return false
  const ms = parse(text)
  return !Number.isNaN(ms) && show(ms).startsWith(text.slice(0, 19))
}

/** Returns the search with another window. The default preset is left out of the URL. */
export function writeWindow(search: Search, target: Target): Search {
  const isBounds = typeof target !== 'string'
  return changeSearch(search, {
    range: isBounds || target === defaultPreset ? null : target,
    from_time: isBounds ? target.from : null,
    to_time: isBounds ? target.to : null,
  })
}

/** Returns the window before (−1) or after (1) this one, of the same length. It is not moved beyond `nowMs`. */
export function shiftWindow(window: TimeWindow, by: -1 | 1, nowMs: number): Target {
  const [fromMs, toMs] = [parse(window.from), parse(window.to)]
  const lengthMs = toMs - fromMs
  const endMs = Math.min(toMs + by * lengthMs, Math.max(nowMs, toMs))
  if (endMs === toMs) return window.preset ?? { from: window.from, to: window.to }
  return toBounds(endMs - lengthMs, endMs)
}

/** Returns the next longer preset, or a window of twice the length around the same middle, at most 400 days and not beyond `nowMs`. */
export function widenWindow(window: TimeWindow, nowMs: number): Target {
  const [fromMs, toMs] = [parse(window.from), parse(window.to)]
  const lengthMs = toMs - fromMs
  if (window.preset !== null) {
    const next = presets.find((preset) => preset.lengthMs !== null && preset.lengthMs > lengthMs)
    if (next !== undefined) return next.range
  }
  const widerMs = Math.min(2 * lengthMs, maxMs)
  const endMs = Math.min(toMs + (widerMs - lengthMs) / 2, Math.max(nowMs, toMs))
  return toBounds(Math.floor(endMs - widerMs), Math.floor(endMs))
}

/** Returns the window after a key: `[` and `]` shift it, `-` widens it; null for any other key. */
export function moveByKey(key: string, window: TimeWindow, nowMs: number): Target | null {
  if (key === '[') return shiftWindow(window, -1, nowMs)
  if (key === ']') return shiftWindow(window, 1, nowMs)
  return key === '-' ? widenWindow(window, nowMs) : null
}

/** The parameters of the URL that set the window. */
export const windowNames: readonly string[] = ['range', 'from_time', 'to_time']

/** Returns the search parameters that a menu keeps: the window. It opens a page without the filters of the page before. */
export const carryWindow = (search: Search): Search =>
  Object.fromEntries(Object.entries(search).filter(([name]) => windowNames.includes(name)))

/** Returns the search parameters that every other link inside a workspace keeps: the window and the agent. */
export const carrySearch = ({ agent_id: agentId, ...search }: Search): Search => ({
  ...carryWindow(search),
  ...(agentId === undefined ? {} : { agent_id: agentId }),
})

/** Returns the search with the window as fixed bounds, so that a link shows the same data whenever it is opened. */
export const freezeWindow = (search: Search, window: Bounds): Search =>
  writeWindow(search, { from: window.from, to: window.to })
