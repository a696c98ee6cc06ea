import { Check, Copy } from 'lucide-react'
import { useRef } from 'react'
import { Button } from './Button.tsx'
import styles from './copy.module.css'
import { useCopy } from './use-copy.ts'

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
  const [done, copy] = useCopy()
  return (
    <Button
      variant="quiet"
      aria-label={label}
      title={label}
      onClick={() => void copy(text, () => select(target?.() ?? null))}
    >
      {word}
      {done === null ? <Copy size={14} aria-hidden="true" /> : <Check size={14} aria-hidden="true" />}
      <span role="status" className={done === null ? 'visually-hidden' : ''}>
        {done}
      </span>
    </Button>
  )
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
