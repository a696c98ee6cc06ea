import { Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Button } from '../../ui/index.ts'
import { useShortcut } from '../shortcuts/use-shortcut.ts'
import styles from './palette-button.module.css'
import { useEarlyText } from './use-early-text.ts'

// Loaded when the palette is first opened.
const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }))

/** The button that opens the palette. Ctrl-K or ⌘-K also opens it from a text field, since the keys type no character. */
export function PaletteButton({ workspaceId }: { readonly workspaceId: string }) {
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
  useShortcut('Ctrl+K', 'Go to a page, an agent, a workspace or an id (Cmd+K on a Mac)', () => setOpen(true))
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
  return (
    <>
      <Button
        variant="quiet"
        className={styles.button}
        aria-label="Go to"
        title="Go to a page, an agent or an id (Ctrl+K)"
        onClick={() => setOpen(true)}
      >
        <Search size={14} aria-hidden="true" />
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          <Palette
            text={text}
            workspaceId={workspaceId}
            onClose={close}
            onFocus={() => setFocused(true)}
            onTextChange={setText}
          />
        </Suspense>
      ) : null}
    </>
  )
}
