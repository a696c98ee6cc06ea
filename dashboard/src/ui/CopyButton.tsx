import { Check, Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from './Button.tsx'
import styles from './copy.module.css'

const shownMs = 1_500

/** Copies a text. If the browser does not allow it, as over plain HTTP, selects the text of `target` instead. */
export function CopyButton({
  text,
  label,
  word,
  target,
}: {
  readonly text: string
  /** The name of the button: "Copy the key". */
  readonly label: string
  /** Shown before the icon; a part of the label. */
  readonly word?: string
  readonly target?: () => Element | null
}) {
  const [done, setDone] = useState<string | null>(null)
  useEffect(() => {
    if (done === null) return
    const timer = setTimeout(() => setDone(null), shownMs)
    return () => clearTimeout(timer)
  }, [done])

  async function copy(): Promise<void> {
    setDone((await writeClipboard(text)) ? 'Copied' : select(target?.() ?? null))
  }

  return (
    <Button variant="quiet" aria-label={label} title={label} onClick={() => void copy()}>
      {word}
      {done === null ? <Copy size={14} aria-hidden="true" /> : <Check size={14} aria-hidden="true" />}
      <span role="status" className={done === null ? 'visually-hidden' : ''}>
        {done}
      </span>
    </Button>
  )
}

async function writeClipboard(text: string): Promise<boolean> {
  if (!isSecureContext) return false
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // The user or the browser denied it: the text is selected instead.
    return false
  }
}

function select(element: Element | null): string {
  if (element === null) return 'Copying is not allowed here'
  getSelection()?.selectAllChildren(element)
  return 'Selected: press Ctrl+C or Cmd+C'
}

/** A text that is copied as a whole: a key, a command, a block of code. */
export function CopyLine({ text, label }: { readonly text: string; readonly label: string }) {
  const shown = useRef<HTMLPreElement>(null)
  return (
    <div className={styles.line}>
      {/* Where copying is not allowed, the text is selected, and the keyboard must reach it. */}
      <pre ref={shown} className={styles.text} tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} label={`Copy: ${label}`} target={() => shown.current} />
    </div>
  )
}
