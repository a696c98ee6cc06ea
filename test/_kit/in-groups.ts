// Splits a list into groups of at most `most` items, in its order; only the last group may be shorter.

export const inGroups = <Item>(items: readonly Item[], most: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / most) }, (_, nth) => items.slice(nth * most, (nth + 1) * most))
