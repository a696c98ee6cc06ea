// The keyboard shortcuts of the page that is shown. A sequence of two keys is written with a space: "g t".

export type Shortcut = {
  /** One or two keys, named as in KeyboardEvent.key. */
  readonly keys: string
  /** What the shortcut does, for the help. */
  readonly label: string
  readonly run: () => void
}

export type ShortcutRegistry = {
  /** Adds a shortcut and returns the function that removes it. Of two shortcuts with the same keys, the one added later applies. */
  add(shortcut: Shortcut): () => void
  list(): readonly Shortcut[]
  /** Handles a pressed key. Returns its shortcut, or null if there is none or if the key starts a sequence of two. */
  press(key: string, nowMs: number): Shortcut | null
}

const sequenceMs = 1_200

export function makeShortcutRegistry(): ShortcutRegistry {
  let shortcuts: readonly Shortcut[] = []
  let first: { readonly key: string; readonly atMs: number } | null = null
  const find = (keys: string): Shortcut | null => shortcuts.findLast((one) => one.keys === keys) ?? null

  return {
    add(shortcut) {
      shortcuts = [...shortcuts, shortcut]
      return () => {
        shortcuts = shortcuts.filter((one) => one !== shortcut)
      }
    },
    list: () => shortcuts.filter((one) => find(one.keys) === one),
    press(key, nowMs) {
      const before = first !== null && nowMs - first.atMs < sequenceMs ? `${first.key} ` : ''
      first = null
      const found = find(before + key)
      if (found !== null || before !== '') return found
      if (shortcuts.some(({ keys }) => keys.startsWith(`${key} `))) first = { key, atMs: nowMs }
      return null
    },
  }
}
