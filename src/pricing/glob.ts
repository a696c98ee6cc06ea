// Patterns of names in which `*` matches any text, also the empty text.

export type Glob = (name: string) => boolean

/**
 * Returns a case-sensitive matcher. It does not backtrack: each part between two stars is searched for from the end of the match before
 * it, and the first match is as good as any later one. `indexOf` does the search; V8 changes to the Boyer-Moore algorithm for repetitive
 * texts.
 */
export function compileGlob(pattern: string): Glob {
  const [head = '', ...rest] = pattern.split('*')
  const tail = rest.pop()
  if (tail === undefined) return (name) => name === pattern
  const parts = rest.filter((part) => part !== '')
  return (name) => {
    const to = name.length - tail.length
    if (to < head.length || !name.startsWith(head) || !name.endsWith(tail)) return false
    let from = head.length
    for (const part of parts) {
      const at = name.indexOf(part, from)
      if (at < 0) return false
      from = at + part.length
    }
    return from <= to
  }
}
