// Serializes the evidence, the watch, the policy and the chart of a rung.
import { type ByteReader, damaged, readSigned, readVarint } from '../../sketches/byte-reader.ts'
import { type ByteWriter, writeSigned, writeVarint } from '../../sketches/byte-writer.ts'
import type { SeenColumns } from '../policy/columns.ts'
import type { ServingPolicy } from '../policy/serving-policy.ts'
import { readDouble, readDoubles, writeDouble, writeDoubles } from './doubles.ts'
import type { EvidenceState } from './evidence.ts'
import type { Growth } from './growth.ts'
import type { Watch } from './watch.ts'

// Bound for the logarithm of a capital: no single block or trial reduces it by more or, at the lowest floor, raises it by more.
const mostStep = 7

export function writeEvidence(writer: ByteWriter, state: EvidenceState): void {
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
}

export function readEvidence(reader: ByteReader, state: EvidenceState): void {
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
  if (state.openWrong > state.openTrials) throw damaged('a period has more wrong trials than trials')
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
  const { seen } = policy
  for (const slot of slots) {
    const isKnown = slot < policy.streak.length
    const endUs = isKnown ? seen.endUs[slot]! : -1
    writeVarint(writer, isKnown ? policy.streak[slot]! : 0)
    writeVarint(writer, isKnown ? policy.need[slot]! : policy.firstNeed)
    if (endUs < 0) writeVarint(writer, never)
    else if (isSame(seen, newest, slot)) writeVarint(writer, asNewest)
    else {
      writeVarint(writer, older)
      writeSigned(writer, newest.endUs[slot]! - endUs)
      writeSigned(writer, endUs - seen.startUs[slot]!)
      writeDouble(writer, seen.content[slot]!)
    }
  }
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
    const kind = readVarint(reader)
    if (kind === asNewest) policy.seen.set(slot, newest.get(slot))
    if (kind !== older) continue
    const endUs = newest.endUs[slot]! - readSigned(reader)
    const startUs = endUs - readSigned(reader)
    policy.seen.set(slot, { startUs, endUs, content: readDouble(reader) })
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
