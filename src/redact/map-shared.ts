// Maps lists in which items rarely change.

/** Returns the changed items, or the same list if no item changed. */
export function mapShared<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  let changed: T[] | null = null
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as T
    const next = change(item)
    if (next !== item) (changed ??= [...items])[at] = next
  }
  return changed ?? items
}
