// Parts of a list, in its order: each as long as is allowed, but for the last one.

export const inGroups = <Item>(items: readonly Item[], most: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / most) }, (_, nth) => items.slice(nth * most, (nth + 1) * most))
