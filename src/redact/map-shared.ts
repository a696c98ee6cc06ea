// Maps lists in which items rarely change.

/** Returns the changed items, or the same list if no item changed. */
export function mapShared<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  if (items.length === 0) return items
  const changed = items.map(change)
  return changed.some((item, at) => item !== items[at]) ? changed : items
}
