// Floor 1. Patterns of names in which `*` stands for any text, the empty text included.

export type Glob = (name: string) => boolean

type Search = (name: string, from: number, to: number) => number

/**
 * Compares case and all. Whatever the pattern, a name is read twice at most: each part between two stars is searched for from where the
 * part before it ended, and never again from an earlier place.
 */
export function compileGlob(pattern: string): Glob {
  const [head = '', ...rest] = pattern.split('*')
  const tail = rest.pop()
  if (tail === undefined) return (name) => name === pattern
  const middles = rest.filter((part) => part !== '').map(compileSearch)
  return (name) => {
    const to = name.length - tail.length
    if (to < head.length || !name.startsWith(head) || !name.endsWith(tail)) return false
    let from = head.length
    for (const search of middles) {
      from = search(name, from, to)
      if (from < 0) return false
    }
    return true
  }
}

/** The search of Knuth, Morris and Pratt: gives the place behind the first occurrence, or -1. */
function compileSearch(part: string): Search {
  const fallbacks = makeFallbacks(part)
  return (name, from, to) => {
    let matched = 0
    for (let at = from; at < to; at++) {
      matched = step(part, fallbacks, matched, name.charCodeAt(at))
      if (matched === part.length) return at + 1
    }
    return -1
  }
}

/** How many characters of the part match once this one was read. */
function step(part: string, fallbacks: Uint16Array, matched: number, code: number): number {
  let length = matched
  while (length > 0 && part.charCodeAt(length) !== code) length = fallbacks[length - 1] ?? 0
  return part.charCodeAt(length) === code ? length + 1 : 0
}

/** For each beginning of the part, the length of the longest shorter beginning that it ends with. */
function makeFallbacks(part: string): Uint16Array {
  const fallbacks = new Uint16Array(part.length)
  for (let at = 1; at < part.length; at++)
    fallbacks[at] = step(part, fallbacks, fallbacks[at - 1] ?? 0, part.charCodeAt(at))
  return fallbacks
}
