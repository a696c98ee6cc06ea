// The control for the time window in the top bar: its name, steps to an earlier, later or wider window, and the panel.
import { Calendar, ChevronLeft, ChevronRight, ZoomOut } from 'lucide-react'
import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useRef } from 'react'
import { formatTime } from '../format/index.ts'
import { namePreset } from './presets.ts'
import styles from './range-picker.module.css'
import { moveByKey, type Target, type TimeWindow } from './time-window.ts'
import { ZoneName } from './ZoneName.tsx'

const RangePanel = lazy(() => import('./RangePanel.tsx'))

export type RangePickerProps = {
  readonly window: TimeWindow
  readonly nowMs: number
  /** The IANA name of the page's zone. */
  readonly zone: string
  /** The zone that the user chose; null: the zone of the browser. */
  readonly chosenZone: string | null
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly onChange: (target: Target) => void
  readonly onZone: (zone: string | null) => void
}

export function RangePicker(props: RangePickerProps) {
  const { window, nowMs, zone, isOpen, onOpenChange, onChange } = props
  const opener = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return undefined
    // If a key opened the panel, no control gets the focus back when it closes.
    return () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) opener.current?.focus()
      })
    }
  }, [isOpen])
  const step = (key: string): void => {
    const target = moveByKey(key, window, nowMs)
    if (target !== null) onChange(target)
  }
  return (
    <div className={styles.picker} role="group" aria-label="Window of time">
      <Step label="Earlier" keyName="[" onStep={step}>
        <ChevronLeft size={14} aria-hidden="true" />
      </Step>
      <button
        ref={opener}
        type="button"
        className={styles.opener}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title="Change the window of time (t)"
        onClick={() => onOpenChange(!isOpen)}
      >
        <Calendar size={14} aria-hidden="true" />
        <span>{nameWindow(window, zone, nowMs)}</span>
        <ZoneName zone={zone} atMs={Date.parse(window.to)} />
      </button>
      <Step label="Later" keyName="]" onStep={step}>
        <ChevronRight size={14} aria-hidden="true" />
      </Step>
      <Step label="Wider" keyName="-" onStep={step}>
        <ZoomOut size={14} aria-hidden="true" />
      </Step>
      {isOpen && (
        <Suspense fallback={null}>
          <RangePanel {...props} opener={opener as RefObject<HTMLButtonElement>} />
        </Suspense>
      )}
    </div>
  )
}

function Step({
  label,
  keyName,
  onStep,
  children,
}: {
  readonly label: string
  readonly keyName: string
  readonly onStep: (key: string) => void
  readonly children: ReactNode
}) {
  return (
    <button
      type="button"
      className={styles.step}
      aria-label={label}
      title={`${label} (${keyName})`}
      onClick={() => onStep(keyName)}
    >
      {children}
    </button>
  )
}

/** Returns `Last 24 hours`, or both bounds of a fixed window. */
function nameWindow(window: TimeWindow, zone: string, nowMs: number): string {
  if (window.preset !== null) return namePreset(window.preset)
  const precision = [window.from, window.to].every((time) => Date.parse(time) % 60_000 === 0) ? 'min' : 's'
  return `${formatTime(window.from, zone, nowMs, precision)} – ${formatTime(window.to, zone, nowMs, precision)}`
}
