// The bar that floats over the bottom of the list: the actions for the selection, and the last change with its undo button.
import { useEffect, useState } from 'react'
import { formatCount } from '../../format/index.ts'
import { Button } from '../../ui/index.ts'
import styles from './findings.module.css'
import type { Status } from './list-search.ts'
import { StatusButtons, type StatusButtonsProps } from './StatusButtons.tsx'
import type { Done, StatusChanges } from './use-status-changes.ts'

type Props = StatusButtonsProps & {
  readonly changes: StatusChanges
  readonly onUndo: () => void
  readonly onClear: () => void
}

export function Dock({ findings, changes: { done, forget }, onUndo, onClear, ...buttons }: Props) {
  const isOpen = done !== null || findings.length > 0
  return (
    <div className={styles.dock} data-open={isOpen}>
      <p role="status" className={done === null ? 'visually-hidden' : ''}>
        {done === null ? '' : describe(done)}
      </p>
      {done !== null && <Undo key={[...done.before.keys()].join()} onUndo={onUndo} onEnd={forget} />}
      {findings.length > 0 && (
        <section aria-label="Selected findings" className={styles.selection}>
          <span>{formatCount(findings.length)} selected</span>
          <StatusButtons findings={findings} {...buttons} />
          <Button variant="quiet" title="Clear the selection (Esc)" onClick={onClear}>
            Clear
          </Button>
        </section>
      )}
    </div>
  )
}

const words: Readonly<Record<Status, string>> = {
  open: 'opened again',
  acknowledged: 'acknowledged',
  resolved: 'resolved',
}

const describe = ({ to, before }: Done): string =>
  `${formatCount(before.size)} ${before.size === 1 ? 'finding' : 'findings'} ${words[to]}.`

const offeredMs = 5_000

/** The undo button. It is shown for 5 seconds, and longer while the pointer or the focus is on it. */
function Undo({ onUndo, onEnd }: { readonly onUndo: () => void; readonly onEnd: () => void }) {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(onEnd, offeredMs)
    return () => clearTimeout(timer)
  }, [isHeld, onEnd])
  return (
    <Button
      title="Undo (z)"
      onClick={onUndo}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      Undo <kbd aria-hidden="true">z</kbd>
    </Button>
  )
}
