// What a key means in the trace view.

export const traceViews = ['waterfall', 'timeline', 'transcript'] as const
export type TraceView = (typeof traceViews)[number]

export type Command =
  | { readonly does: 'move'; readonly by: number }
  | { readonly does: 'move-to'; readonly end: 'first' | 'last' }
  | { readonly does: 'fold' | 'unfold'; readonly isDeep: boolean }
  | { readonly does: 'match' | 'error'; readonly isBack: boolean }
  | { readonly does: 'view'; readonly view: TraceView }
  | { readonly does: 'open' | 'close' | 'find' | 'zoom' | 'fit' }

/** Shortcuts of the page: single keys, which a person can switch off. */
export const pageKeys: readonly { readonly keys: string; readonly label: string; readonly command: Command }[] = [
  { keys: 'j', label: 'Next span', command: { does: 'move', by: 1 } },
  { keys: 'k', label: 'Previous span', command: { does: 'move', by: -1 } },
  { keys: 'f', label: 'Find in this trace', command: { does: 'find' } },
  { keys: 'n', label: 'Next match', command: { does: 'match', isBack: false } },
  { keys: 'N', label: 'Previous match', command: { does: 'match', isBack: true } },
  { keys: 'e', label: 'Next error', command: { does: 'error', isBack: false } },
  { keys: 'E', label: 'Previous error', command: { does: 'error', isBack: true } },
  { keys: 'z', label: 'Zoom to the span', command: { does: 'zoom' } },
  { keys: '0', label: 'Show the whole trace', command: { does: 'fit' } },
  { keys: '1', label: 'Waterfall', command: { does: 'view', view: 'waterfall' } },
  { keys: '2', label: 'Timeline', command: { does: 'view', view: 'timeline' } },
  { keys: '3', label: 'Transcript', command: { does: 'view', view: 'transcript' } },
  { keys: 'Escape', label: 'Close the span', command: { does: 'close' } },
]

export type Key = {
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

const pageRows = 20

const gridKeys: Readonly<Record<string, Command>> = {
  ArrowDown: { does: 'move', by: 1 },
  ArrowUp: { does: 'move', by: -1 },
  PageDown: { does: 'move', by: pageRows },
  PageUp: { does: 'move', by: -pageRows },
  Home: { does: 'move-to', end: 'first' },
  End: { does: 'move-to', end: 'last' },
  ArrowLeft: { does: 'fold', isDeep: false },
  ArrowRight: { does: 'unfold', isDeep: false },
  Enter: { does: 'open' },
}

const shiftedGridKeys: Readonly<Record<string, Command>> = {
  ArrowLeft: { does: 'fold', isDeep: true },
  ArrowRight: { does: 'unfold', isDeep: true },
}

/** Keys of the grid that has the focus; null: the key is not the grid's. */
export function readGridKey({ key, shiftKey, ctrlKey, metaKey, altKey }: Key): Command | null {
  if (altKey || ctrlKey || metaKey) return null
  const commands = shiftKey ? shiftedGridKeys : gridKeys
  return Object.hasOwn(commands, key) ? (commands[key] ?? null) : null
}

/** Ctrl-F is ours once: where the find field has the focus already, it is the browser's. */
export const isFindKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: Key, isFinding: boolean): boolean =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'f' && !isFinding
