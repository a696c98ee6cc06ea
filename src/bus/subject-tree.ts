// Finds values by subject pattern: `*` matches one word, a last `>` matches one or more.

export type SubjectTree<T> = {
  /** Returns a function that removes the value. Throws if the pattern is malformed. */
  add(pattern: string, value: T): () => void
  /**
   * Returns every value whose pattern matches. The cost depends on the words of the subject, not on the number of patterns. Throws if the
   * subject is malformed.
   */
  match(subject: string): T[]
}

type Branch<T> = { readonly next: Map<string, Branch<T>>; readonly here: Set<T>; readonly rest: Set<T> }

export function makeSubjectTree<T>(): SubjectTree<T> {
  const root = makeBranch<T>()

  return {
    add(pattern, value) {
      const words = pattern.split('.')
      if (words.includes('') || words.slice(0, -1).includes('>'))
        throw new Error(`"${pattern}" is not a valid subject pattern`)
      const takesRest = words.at(-1) === '>'
      const path = grow(root, takesRest ? words.slice(0, -1) : words)
      const end = path.at(-1)?.branch ?? root
      const values = takesRest ? end.rest : end.here
      values.add(value)
      return () => {
        values.delete(value)
        prune(path)
      }
    },
    match(subject) {
      const words = subject.split('.')
      if (words.includes('') || words.includes('*') || words.includes('>'))
        throw new Error(`"${subject}" is not a valid subject`)
      const found: T[] = []
      collect(root, words, 0, found)
      return found
    },
  }
}

const makeBranch = <T>(): Branch<T> => ({ next: new Map(), here: new Set(), rest: new Set() })

type Step<T> = { readonly parent: Branch<T>; readonly word: string; readonly branch: Branch<T> }

function grow<T>(root: Branch<T>, words: readonly string[]): Step<T>[] {
  let parent = root
  return words.map((word) => {
    const branch = parent.next.get(word) ?? makeBranch<T>()
    parent.next.set(word, branch)
    const step = { parent, word, branch }
    parent = branch
    return step
  })
}

// Short-lived patterns, such as those with tokens of past owners, must not leave branches behind.
function prune<T>(path: readonly Step<T>[]): void {
  for (const { parent, word, branch } of path.toReversed()) {
    if (branch.next.size > 0 || branch.here.size > 0 || branch.rest.size > 0) return
    if (parent.next.get(word) === branch) parent.next.delete(word)
  }
}

function collect<T>(branch: Branch<T>, words: readonly string[], at: number, found: T[]): void {
  const word = words[at]
  if (word === undefined) {
    found.push(...branch.here)
    return
  }
  found.push(...branch.rest)
  for (const key of [word, '*']) {
    const next = branch.next.get(key)
    if (next !== undefined) collect(next, words, at + 1, found)
  }
}
