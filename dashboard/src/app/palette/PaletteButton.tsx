import { lazy, Suspense, useEffect, useState } from 'react'
import { useShortcut } from '../shortcuts/use-shortcut.ts'
import { useEarlyText } from './use-early-text.ts'

// Loaded when the palette is first opened.
const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }))

/** Ctrl-K or ⌘-K opens the palette, also from a text field, since the keys type no character. */
export function PaletteKey({ workspaceId }: { readonly workspaceId: string }) {
  const [isOpen, setOpen] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const [text, setText] = useState('')
  const close = (): void => {
    setOpen(false)
    setFocused(false)
    setText('')
  }
  useEarlyText(isOpen && !isFocused, setText, close)
  // Registered here for the help only. The effect below binds the key, since the registry receives no keys with a modifier.
  useShortcut('Ctrl+K', 'Go to a page, an agent, a workspace or an id (⌘K)', () => setOpen(true))
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isKey =
        event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      if (!isKey) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return isOpen ? (
    <Suspense fallback={null}>
      <Palette
        text={text}
        workspaceId={workspaceId}
        onClose={close}
        onFocus={() => setFocused(true)}
        onTextChange={setText}
      />
    </Suspense>
  ) : null
}
