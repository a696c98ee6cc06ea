// A set of small whole numbers: one bit each.

/** Each element holds 32 numbers. */
export type NumberSet = number[]

export function addNumber(into: NumberSet, number: number): void {
  const word = number >>> 5
  while (into.length <= word) into.push(0)
  into[word]! |= 1 << (number & 31)
}

/** Adds `names[n]` for each number n of `from`. */
export function addRenumbered(into: NumberSet, from: NumberSet, names: readonly number[]): void {
  for (let word = 0; word < from.length; word++) {
    for (let rest = from[word]!; rest !== 0; rest &= rest - 1) {
      addNumber(into, names[word * 32 + 31 - Math.clz32(rest & -rest)]!)
    }
  }
}

/** Replaces each number n by `names[n]`. */
export function renumberSet(set: NumberSet, names: readonly number[]): void {
  const from = set.splice(0)
  addRenumbered(set, from, names)
}

export function countNumbers(set: NumberSet): number {
  let count = 0
  for (const word of set) {
    let bits = word - ((word >>> 1) & 0x5555_5555)
    bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333)
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
  }
  return count
}

/** Replaces the content of `into` by the numbers, ascending. */
export function listNumbers(set: NumberSet, into: number[]): void {
  into.length = 0
  for (let word = 0; word < set.length; word++) {
    for (let rest = set[word]!; rest !== 0; rest &= rest - 1) into.push(word * 32 + 31 - Math.clz32(rest & -rest))
  }
}
