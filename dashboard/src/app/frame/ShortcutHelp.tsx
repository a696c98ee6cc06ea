import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, Dialog } from '../../ui/index.ts'
import { carryWindow, type Search } from '../../window/index.ts'
import { listShortcuts, useShortcut } from '../shortcuts/use-shortcut.ts'
import { type RailItem, railItems } from './rail-items.ts'
import styles from './shortcut-help.module.css'

/** Binds `?` to a dialog with the shortcuts of this page, and `g` with a letter to each page of the rail. */
export function ShortcutHelp({ workspaceId }: { readonly workspaceId: string | null }) {
  const [isOpen, setOpen] = useState(false)
  useShortcut('?', 'Show this help', () => setOpen(true))
  return (
    <>
      {workspaceId !== null &&
        railItems.map((item) => <GoShortcut key={item.to} item={item} workspaceId={workspaceId} />)}
      <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={() => setOpen(false)}>
        {/* It scrolls in a low window, also by keyboard. */}
        <div className={styles.scroll} role="region" aria-label="List of shortcuts" tabIndex={0}>
          <dl className={styles.list}>
            {listShortcuts().map(({ keys, label }) => (
              <div key={keys} className={styles.row}>
                <dt>
                  {keys.split(' ').map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{label}</dd>
              </div>
            ))}
          </dl>
        </div>
        <p>You can turn them off on your account page.</p>
        <Button onClick={() => setOpen(false)}>Close</Button>
      </Dialog>
    </>
  )
}

type GoProps = { readonly item: RailItem; readonly workspaceId: string }

function GoShortcut({ item: { key, label, to }, workspaceId }: GoProps) {
  const navigate = useNavigate()
  useShortcut(`g ${key}`, `Go to ${label}`, () => {
    const target = { to, params: { workspace_id: workspaceId }, search: (before: Search) => carryWindow(before) }
    void navigate(target as object)
  })
  return null
}
