// A plain implementation of serving, without columns, rungs or evidence: a store of executions that is queried at every call. A served call
// is not executed, so nothing is learned from it.
import type { Execution } from '../../../src/decisions/gate/replay.ts'

export type Rules = {
  readonly ageUs: number
  readonly firstNeed: number
  readonly isHeldOut: (call: Execution) => boolean
  /** By input; `all` for every input. At most one each. */
  readonly invalidations: ReadonlyMap<string, number>
}

/** A call that could be answered from a stored result. */
export type Answer = { readonly call: Execution; readonly stored: Execution }

export type Served = {
  /** Includes held-out calls. */
  readonly answers: Answer[]
  readonly executed: Execution[]
  /** Returns the inputs that can be served at a time after all calls. */
  servedAt(atUs: number): string[]
}

type Input = { readonly name: string; readonly history: Execution[]; streak: number; need: number }
type Running = { readonly call: Execution; readonly newestThen: Execution | undefined; readonly wasOld: boolean }

const hasResult = (execution: Execution | undefined): execution is Execution =>
  execution !== undefined && !execution.isError && execution.contentHash !== null

const isSame = (a: Execution, b: Execution): boolean => !b.isError && a.contentHash === b.contentHash

const byId = (a: Execution, b: Execution): number => (a.spanId < b.spanId ? -1 : 1)
const byStart = (a: Execution, b: Execution): number => a.startUs - b.startUs || a.endUs - b.endUs || byId(a, b)

export function serveNaively(calls: readonly Execution[], rules: Rules): Served {
  const inputs = new Map<string, Input>()
  const answers: Answer[] = []
  const executed: Execution[] = []
  let running: Running[] = []
  let doubtedBeforeUs = 0
  let firstWrong: Execution | null = null

  const inputOf = (name: string): Input => {
    const input = inputs.get(name) ?? { name, history: [], streak: 0, need: rules.firstNeed }
    inputs.set(name, input)
    return input
  }
  const isInvalidated = (stored: Execution, atUs: number): boolean =>
    [rules.invalidations.get('all'), rules.invalidations.get(stored.inputHash)].some(
      (us) => us !== undefined && stored.startUs <= us && us <= atUs,
    )
  const candidateOf = (input: Input, atUs: number): Execution | null => {
    const newest = input.history.at(-1)
    return hasResult(newest) && !isInvalidated(newest, atUs) ? newest : null
  }
  const isOld = (stored: Execution, atUs: number): boolean =>
    atUs - stored.endUs >= rules.ageUs || stored.startUs < doubtedBeforeUs
  const canServe = (input: Input, atUs: number): Execution | null => {
    const candidate = candidateOf(input, atUs)
    return candidate !== null && !isOld(candidate, atUs) && input.streak >= input.need ? candidate : null
  }

  const start = (call: Execution): void => {
    const input = inputOf(call.inputHash)
    const stored = canServe(input, call.startUs)
    if (stored !== null) answers.push({ call, stored })
    if (stored !== null && !rules.isHeldOut(call)) return
    const candidate = candidateOf(input, call.startUs)
    const wasOld = candidate !== null && isOld(candidate, call.startUs)
    running.push({ call, newestThen: candidate === null ? undefined : candidate, wasOld })
  }

  const learn = (input: Input, { call, newestThen, wasOld }: Running): void => {
    const newestNow = input.history.at(-1)
    const overlapped = hasResult(newestThen)
      ? newestNow !== newestThen
      : newestNow !== undefined && newestNow.endUs > call.startUs
    if (!call.isError && call.contentHash === null) input.streak = 0
    else if (overlapped) {
      if (call.isError || (hasResult(newestNow) && !isSame(newestNow, call))) input.streak = 0
    } else if (newestThen === undefined) {
      if (call.isError) input.streak = 0
    } else if (isSame(newestThen, call)) input.streak++
    else {
      input.streak = 0
      if (!wasOld) input.need = Math.min(64, 2 * input.need)
    }
  }

  const end = (ending: Running): void => {
    const { call } = ending
    const input = inputOf(call.inputHash)
    learn(input, ending)
    input.history.push(call)
    executed.push(call)
    const answer = answers.find((each) => each.call === call)
    if (answer === undefined || (!call.isError && call.contentHash === null)) return
    const { stored } = answer
    if (isSame(stored, call)) {
      firstWrong = null
      return
    }
    // Already covered by an earlier doubt.
    if (stored.startUs < doubtedBeforeUs) return
    if (firstWrong !== null && firstWrong.inputHash !== call.inputHash && stored.endUs <= firstWrong.endUs) {
      doubtedBeforeUs = Math.max(doubtedBeforeUs, call.startUs)
      firstWrong = null
    } else firstWrong = call
  }

  const endUntil = (atUs: number): void => {
    const due = running
      .filter(({ call }) => call.endUs <= atUs)
      .sort((a, b) => a.call.endUs - b.call.endUs || a.call.startUs - b.call.startUs || byId(a.call, b.call))
    running = running.filter((each) => !due.includes(each))
    for (const each of due) end(each)
  }

  for (const call of calls.toSorted(byStart)) {
    endUntil(call.startUs)
    start(call)
  }
  endUntil(Number.POSITIVE_INFINITY)
  const servedAt = (atUs: number): string[] =>
    [...inputs.values()].filter((input) => canServe(input, atUs) !== null).map(({ name }) => name)
  return { answers, executed, servedAt }
}
