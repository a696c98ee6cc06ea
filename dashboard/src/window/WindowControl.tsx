// The picker of the page's window with its shortcuts. The top bar shows it on pages that have a window.
import { useState } from 'react'
import { usePageWindow } from '../app/page-window.tsx'
import { useShortcut } from '../app/shortcuts/use-shortcut.ts'
import { chooseZone, useChosenZone } from '../app/zone-choice.ts'
import { useZone } from '../ui/zone.ts'
import { RangePicker } from './RangePicker.tsx'
import { moveByKey } from './time-window.ts'

export function WindowControl() {
  const { window, nowMs, setWindow } = usePageWindow()
  const zone = useZone()
  const chosenZone = useChosenZone()
  const [isOpen, setOpen] = useState(false)
  const step = (key: string) => (): void => {
    const target = moveByKey(key, window, nowMs)
    if (target !== null) setWindow(target)
  }
  useShortcut('t', 'Change the window of time', () => setOpen(true))
  useShortcut('[', 'Earlier window', step('['))
  useShortcut(']', 'Later window', step(']'))
  useShortcut('-', 'Wider window', step('-'))
  return (
    <RangePicker
      window={window}
      nowMs={nowMs}
      zone={zone}
      chosenZone={chosenZone}
      isOpen={isOpen}
      onOpenChange={setOpen}
      onChange={setWindow}
      onZone={chooseZone}
    />
  )
}
