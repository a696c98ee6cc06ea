// Patterns of names in which `*` stands for any text, the empty text included.

export type Glob = (name: string) => boolean

/**
 * Compares case and all. No part of a name is tried twice: each part between two stars is searched for from where the part before it
 * ended, and the first place that has it is as good as any later one. The search itself is V8's, which goes over to Boyer and Moore's for
 * texts that repeat themselves.
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
