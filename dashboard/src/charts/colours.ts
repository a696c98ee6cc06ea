// Which colour a series has. A key keeps its colour on every page of a workspace; charts never show one colour twice.

/** 1 to 6 stand for `--series-1` to `--series-6`; 0 is the grey of everything else. */
export type Slot = 0 | 1 | 2 | 3 | 4 | 5 | 6

const slotCount = 6

/** The keys that mean "the rest" or "all". */
const greyKeys = new Set(['other', 'unknown'])

const memory = new Map<string, Map<string, Slot>>()

/**
 * Slots of the keys of one chart, largest first. `family` tells apart what may share names, such as the models of one workspace
 * and its tools: `<workspace_id>/model`.
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

/** FNV-1a, so that a fresh browser gives a key the same colour. */
function hashSlot(key: string): Slot {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return (((hash >>> 0) % slotCount) + 1) as Slot
}

/** The custom property of a slot. */
export const nameSlot = (slot: Slot): string => (slot === 0 ? '--series-other' : `--series-${slot}`)

/** From the fourth series on a chart also tells lines apart by their dash. */
export const dashOf = (nth: number): readonly number[] | null =>
  [null, null, null, [6, 3], [2, 3], [8, 3, 2, 3]][nth] ?? null
