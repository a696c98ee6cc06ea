// The colours of series. A key has the same colour on every page of a workspace, unless another key of the chart has it already:
// a chart shows each colour at most once, except grey.

/** 1 to 6 stand for `--series-1` to `--series-6`; 0 is grey, for all other series. */
export type Slot = 0 | 1 | 2 | 3 | 4 | 5 | 6

const slotCount = 6

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
    if (greyKeys.has(key) || used.size === slotCount) return 0
    const slot = findFree(known.get(key) ?? hashSlot(key), used)
    used.add(slot)
    if (!known.has(key)) known.set(key, slot)
    return slot
  })
}

function findFree(wanted: Slot, used: ReadonlySet<Slot>): Slot {
  let slot = wanted
  while (used.has(slot)) slot = ((slot % slotCount) + 1) as Slot
  return slot
}

/** FNV-1a, so that a key has the same preferred colour in every browser. */
function hashSlot(key: string): Slot {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return (((hash >>> 0) % slotCount) + 1) as Slot
}

/** Returns the name of the custom property of a slot. */
export const nameSlot = (slot: Slot): string => (slot === 0 ? '--series-other' : `--series-${slot}`)

/** Returns the dash of the nth line, from 0; null: a solid line. The fourth to sixth lines of a chart also differ by their dash. */
export const dashOf = (nth: number): readonly number[] | null =>
  [null, null, null, [6, 3], [2, 3], [8, 3, 2, 3]][nth] ?? null
