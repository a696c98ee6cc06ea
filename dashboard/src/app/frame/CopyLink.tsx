// The button that copies the address of the page. A page with a moving window has two links: one moves too, the other keeps these bounds.
import { Check, Link2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Menu, MenuItem, Popover } from 'react-aria-components'
import { Button, CopyLine, Dialog, useCopy } from '../../ui/index.ts'
import { type Bounds, freezeWindow, parseSearch, stringifySearch } from '../../window/index.ts'
import { namePreset } from '../../window/presets.ts'
import { usePageWindow } from '../page-window.tsx'
import { useShortcut } from '../shortcuts/use-shortcut.ts'
import { usePageFacts } from './Breadcrumb.tsx'
import styles from './menu.module.css'
import topBar from './top-bar.module.css'

export function CopyLink() {
  const { window } = usePageWindow()
  const { hasWindow } = usePageFacts()
  const opener = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  /** The link that the browser did not let the page copy. */
  const [refused, setRefused] = useState<string | null>(null)
  const [done, copy] = useCopy()
  const copyLink = (link: string): void =>
    void copy(link, () => {
      setRefused(link)
      return null
    })
  const preset = hasWindow ? window.preset : null
  const press = (): void => (preset === null ? copyLink(location.href) : setOpen(true))
  useShortcut('c', 'Copy a link to this page', press)
  const Icon = done === null ? Link2 : Check
  return (
    <>
      <Button
        ref={opener}
        variant="quiet"
        className={topBar.copy}
        aria-label="Copy link"
        title="Copy link (c)"
        {...(preset === null ? {} : { 'aria-haspopup': 'menu', 'aria-expanded': isOpen })}
        onClick={press}
      >
        <Icon size={14} aria-hidden="true" />
        <span role="status" className="visually-hidden">
          {done}
        </span>
      </Button>
      {preset !== null && (
        <Popover
          className={styles.popover ?? ''}
          isOpen={isOpen}
          onOpenChange={setOpen}
          placement="bottom end"
          triggerRef={opener}
        >
          <Menu autoFocus="first" className={styles.menu ?? ''} aria-label="Copy link" onClose={() => setOpen(false)}>
            <MenuItem className={styles.item ?? ''} onAction={() => copyLink(location.href)}>
              Live: {namePreset(preset).toLowerCase()}, whenever it is opened
            </MenuItem>
            <MenuItem className={styles.item ?? ''} onAction={() => copyLink(freezeLink(window))}>
              Frozen: the window that is shown now
            </MenuItem>
          </Menu>
        </Popover>
      )}
      <Dialog title="Copy link" isOpen={refused !== null} onClose={() => setRefused(null)}>
        <p>The browser does not let this page copy.</p>
        <CopyLine label="The link" text={refused ?? ''} />
        <Button onClick={() => setRefused(null)}>Close</Button>
      </Dialog>
    </>
  )
}

function freezeLink(window: Bounds): string {
  const { origin, pathname, search, hash } = location
  return origin + pathname + stringifySearch(freezeWindow(parseSearch(search), window)) + hash
}
