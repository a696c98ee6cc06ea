// Serializes the evidence, the watch, the policy and the chart of a rung.
import { type ByteReader, damaged, readSigned, readVarint } from '../../sketches/byte-reader.ts'
import { type ByteWriter, writeSigned, writeVarint } from '../../sketches/byte-writer.ts'
import type { Seen, SeenColumns } from '../policy/columns.ts'
import type { ServedTime } from '../policy/served-times.ts'
import type { ServingPolicy } from '../policy/serving-policy.ts'
import { readDouble, readDoubles, writeDouble, writeDoubles } from './doubles.ts'
import type { BlockEvidence } from './evidence.ts'
import type { Growth } from './growth.ts'
import type { Watch } from './watch.ts'

// Bound for the logarithm of a capital: no single block or trial reduces it by more or, at the lowest floor, raises it by more.
const mostStep = 7

export function writeEvidence(writer: ByteWriter, { state, waiting, newestUs }: BlockEvidence): void {
  writeDoubles(writer, state.logs)
  // Most steps have no block, so pairs of count and step are written, ended by a count of 0.
  for (const [step, count] of state.shares.entries()) {
    if (count === 0) continue
    writeVarint(writer, count)
    writeVarint(writer, step)
  }
  writeVarint(writer, 0)
  writeSigned(writer, state.block)
  writeVarint(writer, state.openTrials)
  writeVarint(writer, state.openWrong)
  writeVarint(writer, state.blocks)
  writeSigned(writer, state.firstBlock)
  writeVarint(writer, state.trials)
  writeVarint(writer, state.wrong)
  writeVarint(writer, state.late)
  writeVarint(writer, state.proven ? 1 : 0)
  writeSigned(writer, newestUs)
  writeVarint(writer, waiting.length)
  for (const { block, trials, wrong } of waiting) {
    writeSigned(writer, state.block - block)
    writeVarint(writer, trials)
    writeVarint(writer, wrong)
  }
}

export function readEvidence(reader: ByteReader, evidence: BlockEvidence): void {
  const { state } = evidence
  readDoubles(reader, state.logs)
  for (let count = readVarint(reader); count > 0; count = readVarint(reader)) state.shares[readVarint(reader)] = count
  state.block = readSigned(reader)
  state.openTrials = readVarint(reader)
  state.openWrong = readVarint(reader)
  state.blocks = readVarint(reader)
  state.firstBlock = readSigned(reader)
  state.trials = readVarint(reader)
  state.wrong = readVarint(reader)
  state.late = readVarint(reader)
  state.proven = readVarint(reader) === 1
  evidence.newestUs = readSigned(reader)
  for (let left = readVarint(reader); left > 0; left--)
    evidence.waiting.push({
      block: state.block - readSigned(reader),
      trials: readVarint(reader),
      wrong: readVarint(reader),
    })
  const open = { trials: state.openTrials, wrong: state.openWrong }
  if ([open, ...evidence.waiting].some(({ trials, wrong }) => wrong > trials))
    throw damaged('a period has more wrong trials than trials')
  const most = mostStep * state.blocks
  requireWithin(state.logs, -most, most)
}

function requireWithin(logs: Float64Array, low: number, high: number): void {
  if (!logs.every((log) => log >= low && log <= high)) throw damaged('a capital is out of range')
}

export function writeWatch(writer: ByteWriter, { logs, wrongInputs }: Watch): void {
  writeDoubles(writer, logs)
  writeVarint(writer, wrongInputs.length)
  for (const input of wrongInputs) writeVarint(writer, input)
}

export function readWatch(reader: ByteReader, watch: Watch): void {
  readDoubles(reader, watch.logs)
  requireWithin(watch.logs, -mostStep, Number.MAX_VALUE)
  for (let left = readVarint(reader); left > 0; left--) watch.wrongInputs.push(readVarint(reader))
}

// What a policy saw last of an input: no execution, the newest one, or an older one.
const never = 0
const asNewest = 1
const older = 2
// Added to these: the input is served; it was served before.
const served = 3
const servedBefore = 6

/** Writes the columns of the policy for these slots, in this order. */
export function writePolicy(
  writer: ByteWriter,
  policy: ServingPolicy,
  slots: readonly number[],
  newest: SeenColumns,
): void {
  writeSigned(writer, policy.doubtedUs)
  writeSigned(writer, policy.suspect.input)
  writeSigned(writer, policy.suspect.endUs)
  const { seen, times } = policy
  for (const slot of slots) {
    const isKnown = slot < policy.streak.length
    const endUs = isKnown ? seen.endUs[slot]! : -1
    writeVarint(writer, isKnown ? policy.streak[slot]! : 0)
    writeVarint(writer, isKnown ? policy.need[slot]! : policy.firstNeed)
    if (endUs < 0) {
      writeVarint(writer, never)
      continue
    }
    const past = times.recall(slot, endUs)
    const sinceUs = times.since.endUs[slot] ?? -1
    const kind = isSame(seen, newest, slot) ? asNewest : older
    writeVarint(writer, kind + (sinceUs < 0 ? 0 : served) + (past === null ? 0 : servedBefore))
    if (kind === older) {
      writeSpan(writer, seen.get(slot), newest.endUs[slot]!)
      writeDouble(writer, seen.content[slot]!)
    }
    if (sinceUs >= 0) writeSpan(writer, times.since.get(slot), endUs)
    if (past !== null) writePast(writer, past, seen.get(slot))
  }
}

/** Writes the times of an execution that ended before `fromUs`. */
function writeSpan(writer: ByteWriter, { startUs, endUs }: Seen, fromUs: number): void {
  writeSigned(writer, fromUs - endUs)
  writeSigned(writer, endUs - startUs)
}

function readSpan(reader: ByteReader, fromUs: number): Omit<Seen, 'content'> {
  const endUs = fromUs - readSigned(reader)
  return { startUs: endUs - readSigned(reader), endUs }
}

/** Most often, first and last are the same, and so is the content afterwards. */
function writePast(writer: ByteWriter, { first, last, untilUs }: ServedTime, seen: Seen): void {
  writeSigned(writer, seen.endUs - untilUs)
  writeSpan(writer, last, untilUs)
  writeSpan(writer, first, last.endUs)
  const isSameContent = first.content === seen.content
  writeVarint(writer, isSameContent ? 1 : 0)
  if (!isSameContent) writeDouble(writer, first.content)
}

function readPast(reader: ByteReader, seen: Seen): ServedTime {
  const untilUs = seen.endUs - readSigned(reader)
  const last = readSpan(reader, untilUs)
  const first = readSpan(reader, last.endUs)
  const content = readVarint(reader) === 1 ? seen.content : readDouble(reader)
  return { first: { ...first, content }, last: { ...last, content }, untilUs }
}

const isSame = (a: SeenColumns, b: SeenColumns, slot: number): boolean =>
  a.endUs[slot] === b.endUs[slot] && a.startUs[slot] === b.startUs[slot] && a.content[slot] === b.content[slot]

export function readPolicy(reader: ByteReader, policy: ServingPolicy, slots: number, newest: SeenColumns): void {
  policy.doubtedUs = readSigned(reader)
  policy.suspect = { input: readSigned(reader), endUs: readSigned(reader) }
  for (let slot = 0; slot < slots; slot++) {
    policy.reserve(slot)
    policy.streak[slot] = readVarint(reader)
    policy.need[slot] = readVarint(reader)
    const mark = readVarint(reader)
    if (mark === never) continue
    const kind = mark % served
    if (kind === never || mark > older + served + servedBefore) throw damaged('an input is marked by an unknown number')
    const seen =
      kind === asNewest ? newest.get(slot) : { ...readSpan(reader, newest.endUs[slot]!), content: readDouble(reader) }
    policy.seen.set(slot, seen)
    const { times } = policy
    const marks = Math.floor(mark / served)
    if (marks % 2 === 1) {
      times.since.reserve(slot)
      times.since.set(slot, { ...readSpan(reader, seen.endUs), content: seen.content })
    }
    if (marks >= 2) times.past.set(slot, readPast(reader, seen))
  }
}

export function writeGrowth(writer: ByteWriter, { stride, points }: Growth): void {
  writeVarint(writer, stride)
  writeVarint(writer, points.length)
  for (const point of points) {
    writeSigned(writer, point.atUs)
    writeVarint(writer, point.trials)
    writeVarint(writer, point.matches)
    writeDouble(writer, point.evidence)
    writeDouble(writer, point.wrongShareUpper)
  }
}

export function readGrowth(reader: ByteReader, growth: Growth): void {
  growth.stride = readVarint(reader)
  for (let left = readVarint(reader); left > 0; left--) {
    growth.points.push({
      atUs: readSigned(reader),
      trials: readVarint(reader),
      matches: readVarint(reader),
      evidence: readDouble(reader),
      wrongShareUpper: readDouble(reader),
    })
  }
}
