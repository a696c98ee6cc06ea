// Serializes a ladder. A ladder that was read behaves as the one that was written.
import {
  type ByteReader,
  expectEnd,
  openReader,
  readByte,
  readSigned,
  readText,
  readVarint,
} from '../../sketches/byte-reader.ts'
import {
  type ByteWriter,
  openWriter,
  writeBytes,
  writeSigned,
  writeText,
  writeVarint,
  written,
} from '../../sketches/byte-writer.ts'
import type { SeenColumns } from '../policy/columns.ts'
import { readDouble, writeDouble } from './doubles.ts'
import { LadderState } from './replay.ts'
import { makeRung, type Rung } from './rung.ts'
import {
  readEvidence,
  readGrowth,
  readPolicy,
  readWatch,
  writeEvidence,
  writeGrowth,
  writePolicy,
  writeWatch,
} from './rung-bytes.ts'
import type { Breach, LadderSettings } from './verdict.ts'

const version = 3

/** The bytes are intact, but were written by another version of this format, or for another floor or alpha. */
export class OutdatedLadder extends Error {
  override readonly name = 'OutdatedLadder'
}

const reasons = ['wrong_share', 'wrong_in_a_row'] as const

export function writeState(state: LadderState): Uint8Array {
  const writer = openWriter(1_024)
  const { settings, forced } = state
  writeVarint(writer, version)
  writeDouble(writer, settings.floor)
  writeDouble(writer, settings.alpha)
  writeInputs(writer, state)
  writeVarint(writer, state.rungs.length)
  for (const rung of state.rungs) writeRung(writer, state, rung)
  writeVarint(writer, forced === null ? 0 : 1)
  if (forced !== null) writeRung(writer, state, forced)
  writeVarint(writer, state.rungs[state.standing]?.freshnessS ?? 0)
  writeVarint(writer, state.watched.trials)
  writeVarint(writer, state.watched.wrong)
  writeVarint(writer, state.stepsDown)
  writeBreach(writer, state.lastBreach)
  writeSigned(writer, state.servingSinceUs ?? -1)
  return Uint8Array.from(written(writer))
}

export function readState(settings: LadderSettings, bytes: Uint8Array): LadderState {
  const reader = openReader(bytes)
  if (readByte(reader) !== version) throw new OutdatedLadder('the ladder was written by another version')
  if (readDouble(reader) !== settings.floor || readDouble(reader) !== settings.alpha)
    throw new OutdatedLadder('the ladder was written for another floor or alpha')
  const state = new LadderState(settings)
  readInputs(reader, state)
  const known = new Map(state.rungs.map((rung) => [rung.freshnessS, rung]))
  for (let left = readVarint(reader); left > 0; left--) {
    const freshnessS = readVarint(reader)
    // A rung above the age limit, which has been lowered since, is read and dropped.
    readRung(reader, state, known.get(freshnessS) ?? makeRung(settings, freshnessS))
  }
  if (readVarint(reader) === 1) {
    state.forced = makeRung(settings, readVarint(reader), 1)
    readRung(reader, state, state.forced)
  }
  const standingS = readVarint(reader)
  state.standing = state.rungs.findLastIndex(
    ({ freshnessS, evidence }) => freshnessS <= standingS && evidence.state.proven,
  )
  state.watched = { trials: readVarint(reader), wrong: readVarint(reader) }
  state.stepsDown = readVarint(reader)
  state.lastBreach = readBreach(reader)
  const servingSinceUs = readSigned(reader)
  state.servingSinceUs = servingSinceUs < 0 ? null : servingSinceUs
  expectEnd(reader)
  return state
}

function writeRung(writer: ByteWriter, state: LadderState, rung: Rung): void {
  const { freshnessS, policy, evidence, watch, growth } = rung
  writeVarint(writer, freshnessS)
  writeWatch(writer, watch)
  writeEvidence(writer, evidence)
  writePolicy(writer, policy, slotsOf(state), state.newest)
  writeGrowth(writer, growth)
}

function readRung(reader: ByteReader, state: LadderState, { policy, evidence, watch, growth }: Rung): void {
  readWatch(reader, watch)
  readEvidence(reader, evidence)
  readPolicy(reader, policy, state.inputs.size, state.newest)
  readGrowth(reader, growth)
}

const slotsOf = ({ inputs }: LadderState): number[] => Array.from(inputs.entries(), ([, slot]) => slot)

/** Writes the inputs in the order of their last execution. `readInputs` numbers the slots in this order. */
function writeInputs(writer: ByteWriter, { inputs, newest, invalidated, allInvalidatedUs }: LadderState): void {
  writeSigned(writer, allInvalidatedUs)
  writeVarint(writer, inputs.size)
  for (const [hash, slot] of inputs.entries()) {
    writeHash(writer, hash)
    writeSeen(writer, newest, slot)
    writeVarint(writer, (invalidated.get(slot) ?? -1) + 1)
  }
}

function readInputs(reader: ByteReader, state: LadderState): void {
  state.allInvalidatedUs = readSigned(reader)
  const size = readVarint(reader)
  for (let slot = 0; slot < size; slot++) {
    state.inputs.touch(readHash(reader), () => {
      throw new Error('the ladder has too many inputs')
    })
    state.newest.reserve(slot)
    readSeen(reader, state.newest, slot)
    const invalidatedUs = readVarint(reader) - 1
    if (invalidatedUs >= 0) state.invalidated.set(slot, invalidatedUs)
  }
}

function writeSeen(writer: ByteWriter, { startUs, endUs, content }: SeenColumns, slot: number): void {
  writeSigned(writer, endUs[slot]!)
  writeSigned(writer, endUs[slot]! - startUs[slot]!)
  writeDouble(writer, content[slot]!)
}

function readSeen(reader: ByteReader, seen: SeenColumns, slot: number): void {
  const endUs = readSigned(reader)
  const startUs = endUs - readSigned(reader)
  seen.set(slot, { startUs, endUs, content: readDouble(reader) })
}

const usualHash = /^sha256:[0-9a-f]{64}$/

function writeHash(writer: ByteWriter, hash: string): void {
  const isUsual = usualHash.test(hash)
  writeVarint(writer, isUsual ? 1 : 0)
  if (isUsual) writeBytes(writer, Buffer.from(hash.slice(7), 'hex'))
  else writeText(writer, hash)
}

function readHash(reader: ByteReader): string {
  if (readVarint(reader) === 0) return readText(reader)
  if (reader.end - reader.at < 32) throw new Error('the ladder ends within a hash')
  reader.at += 32
  return `sha256:${reader.bytes.toString('hex', reader.at - 32, reader.at)}`
}

function writeBreach(writer: ByteWriter, breach: Breach | null): void {
  writeVarint(writer, breach === null ? 0 : 1 + reasons.indexOf(breach.reason))
  if (breach === null) return
  writeSigned(writer, breach.atUs)
  writeVarint(writer, breach.freshnessS)
}

function readBreach(reader: ByteReader): Breach | null {
  const reason = reasons[readVarint(reader) - 1]
  if (reason === undefined) return null
  return { atUs: readSigned(reader), freshnessS: readVarint(reader), reason }
}
