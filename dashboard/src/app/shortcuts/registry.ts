// Which key does what on the page that is shown. Keys in a row are written with a space: "g t".

export type Shortcut = {
  /** As KeyboardEvent.key names them, two at most. */
  readonly keys: string
  /** What it does, for the help. */
  readonly label: string
  readonly run: () => void
}

export type ShortcutRegistry = {
  /** Gives what takes it away again. Of two with the same keys the later one holds. */
  add(shortcut: Shortcut): () => void
  list(): readonly Shortcut[]
  /** A key was pressed. Gives what it does, if anything; the first key of two does nothing yet. */
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
