// The commands of the trace view and their keys.

export const traceViews = ['waterfall', 'timeline', 'transcript'] as const
export type TraceView = (typeof traceViews)[number]

export type Command =
  | { readonly does: 'move'; readonly by: number }
  | { readonly does: 'move-to'; readonly end: 'first' | 'last' }
  | { readonly does: 'fold' | 'unfold'; readonly isDeep: boolean }
  | { readonly does: 'match' | 'error'; readonly isBack: boolean }
  | { readonly does: 'view'; readonly view: TraceView }
  | { readonly does: 'open' | 'close' | 'find' | 'zoom' | 'fit' }

/** Shortcuts of the page: single keys, which the user can turn off. */
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

/** Returns the command of a key while the grid has the focus; null if the grid does not use the key. */
export function readGridKey({ key, shiftKey, ctrlKey, metaKey, altKey }: Key): Command | null {
  if (altKey || ctrlKey || metaKey) return null
  const commands = shiftKey ? shiftedGridKeys : gridKeys
  return Object.hasOwn(commands, key) ? (commands[key] ?? null) : null
}

/** Whether a key is Ctrl-F for the find field. If that field already has the focus, Ctrl-F is left to the browser. */
export const isFindKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: Key, isFinding: boolean): boolean =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'f' && !isFinding
