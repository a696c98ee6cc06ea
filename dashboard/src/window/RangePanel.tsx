// The panel for the time window: presets, bounds in the page's zone, and the zone itself.
import { fromAbsolute, parseAbsolute, toCalendarDate, type ZonedDateTime } from '@internationalized/date'
import { type RefObject, useState } from 'react'
import { DateField, DateInput, DateSegment, Dialog, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { Button } from '../ui/Button.tsx'
import { isPreset, presets } from './presets.ts'
import type { RangePickerProps } from './RangePicker.tsx'
import styles from './range-picker.module.css'
import { type Bounds, findFault } from './time-window.ts'
import { ZoneSelect } from './ZoneSelect.tsx'

type Props = RangePickerProps & { readonly opener: RefObject<HTMLButtonElement> }

export default function RangePanel({
  opener,
  window,
  nowMs,
  zone,
  chosenZone,
  isOpen,
  onOpenChange,
  onChange,
  onZone,
}: Props) {
  const close = (): void => onOpenChange(false)
  // The bounds at the time when the panel was opened: a preset window moves while the user fills in the fields.
  const [{ from, to }] = useState(window)
  return (
    <Popover
      triggerRef={opener}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      placement="bottom end"
      className={styles.popover ?? ''}
    >
      <Dialog className={styles.panel ?? ''} aria-label="Window of time">
        <ListBox
          className={styles.presets ?? ''}
          aria-label="Ranges that end now"
          autoFocus
          escapeKeyBehavior="none"
          selectionMode="single"
          selectedKeys={window.preset === null ? [] : [window.preset]}
          onSelectionChange={(keys) => {
            // The selection is empty if the current range is chosen again.
            const range = keys === 'all' ? undefined : [...keys].map(String).find(isPreset)
            if (range !== undefined) onChange(range)
            close()
          }}
        >
          {presets.map(({ range, label }) => (
            <ListBoxItem key={range} id={range} textValue={label} className={styles.preset ?? ''}>
              {label}
            </ListBoxItem>
          ))}
        </ListBox>
        <div className={styles.custom}>
          {/* The key resets the fields when the zone changes. */}
          <BoundsForm
            key={zone}
            from={parseAbsolute(from, zone)}
            to={parseAbsolute(to, zone)}
            onApply={(first, last) => {
              onChange({ from: first, to: last })
              close()
            }}
          />
          <Button
            onClick={() => {
              onChange(findYesterday(nowMs, zone))
              close()
            }}
          >
            Yesterday
          </Button>
          <ZoneSelect chosen={chosenZone} onChange={onZone} />
        </div>
      </Dialog>
    </Popover>
  )
}

/** The previous day in the zone of the page. It may have 23 or 25 hours. */
function findYesterday(nowMs: number, zone: string): Bounds {
  const today = toCalendarDate(fromAbsolute(nowMs, zone))
  const show = (days: number): string => today.subtract({ days }).toDate(zone).toISOString()
  return { from: show(1), to: show(0) }
}

type BoundsFormProps = {
  readonly from: ZonedDateTime
  readonly to: ZonedDateTime
  readonly onApply: (from: string, to: string) => void
}

const show = (time: ZonedDateTime | null): string | undefined => time?.toAbsoluteString()

function BoundsForm({ from, to, onApply }: BoundsFormProps) {
  const [start, setStart] = useState<ZonedDateTime | null>(from)
  const [end, setEnd] = useState<ZonedDateTime | null>(to)
  const [isSent, setSent] = useState(false)
  const fault = findFault(show(start), show(end))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        setSent(true)
        const [first, last] = [show(start), show(end)]
        if (fault === null && first !== undefined && last !== undefined) onApply(first, last)
      }}
    >
      <TimeField label="From" value={start} onChange={setStart} />
      <TimeField label="To (excluded)" value={end} onChange={setEnd} />
      {isSent && fault !== null && (
        <p role="alert" className={styles.fault}>
          {describeFault(fault)}
        </p>
      )}
      <Button type="submit" variant="primary">
        Show this window
      </Button>
    </form>
  )
}

/** Replaces the names of parameters, which users do not know, with the labels of the fields. */
const describeFault = (fault: string): string =>
  fault
    .replace('from_time', '“From”')
    .replace('to_time', '“To”')
    .replace(/^./, (first) => first.toUpperCase())

type TimeFieldProps = {
  readonly label: string
  readonly value: ZonedDateTime | null
  readonly onChange: (value: ZonedDateTime | null) => void
}

const TimeField = ({ label, value, onChange }: TimeFieldProps) => (
  <DateField
    value={value}
    onChange={onChange}
    granularity="second"
    hourCycle={24}
    hideTimeZone
    className={styles.field ?? ''}
  >
    <Label>{label}</Label>
    <DateInput className={styles.input ?? ''}>
      {(segment) => <DateSegment segment={segment} className={styles.segment ?? ''} />}
    </DateInput>
  </DateField>
)
