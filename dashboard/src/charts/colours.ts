// The colours of series. A key has the same colour on every page of a workspace, unless another key of the chart has it already:
// a chart shows each colour at most once, except grey.

/** 1 to 6 stand for `--series-1` to `--series-6`; 0 is grey, for all other series. */
export type Slot = 0 | 1 | 2 | 3 | 4 | 5 | 6

/** 2, which is red in the light theme, is for failures only. */
const keySlots = [1, 3, 4, 5, 6] as const

/** The keys that stand for the rest. */
const greyKeys = new Set(['other', 'unknown'])

const memory = new Map<string, Map<string, Slot>>()

/**
 * Returns a slot for each key of a chart; the keys are given in descending order of size. `family` separates keys that may have the same
 * name, such as the models and the tools of a workspace: `<workspace_id>/model`.
 */
export function assignSlots(keys: readonly string[], family: string): readonly Slot[] {
  const known = memory.get(family) ?? new Map<string, Slot>()
  memory.set(family, known)
  const used = new Set<Slot>()
  return keys.map((key) => {
    if (greyKeys.has(key) || used.size === keySlots.length) return 0
    const slot = findFree(known.get(key) ?? hashSlot(key), used)
    used.add(slot)
    if (!known.has(key)) known.set(key, slot)
    return slot
  })
}

/** Returns the first free slot from the wanted one on. The caller knows that there is one. */
function findFree(wanted: Slot, used: ReadonlySet<Slot>): Slot {
  const start = keySlots.findIndex((slot) => slot === wanted)
  const free = [...keySlots.slice(start), ...keySlots.slice(0, start)].find((slot) => !used.has(slot))
  return free ?? 0
}

/** FNV-1a, so that a key has the same preferred colour in every browser. */
function hashSlot(key: string): Slot {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return keySlots[(hash >>> 0) % keySlots.length] ?? 0
}

/** Returns the name of the custom property of a slot. */
export const nameSlot = (slot: Slot): string => (slot === 0 ? '--series-other' : `--series-${slot}`)

/** Returns the dash of the nth line, from 0; null: a solid line. The fourth to sixth lines of a chart also differ by their dash. */
export const dashOf = (nth: number): readonly number[] | null =>
  [null, null, null, [6, 3], [2, 3], [8, 3, 2, 3]][nth] ?? null
