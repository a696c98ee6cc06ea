// The handle at the edge of the column of names, which is moved by dragging or with the arrow keys.
import type { KeyboardEvent, PointerEvent } from 'react'
import { widths } from './use-name-width.ts'
import styles from './waterfall.module.css'

const stepPx = 20

type Props = { readonly width: number; readonly onResize: (width: number) => void }

export function ColumnHandle({ width, onResize }: Props) {
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const handle = event.currentTarget
    const fromX = event.clientX
    handle.setPointerCapture(event.pointerId)
    const move = ({ clientX }: globalThis.PointerEvent): void => onResize(width + clientX - fromX)
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true })
  }
  const press = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowLeft' ? -stepPx : event.key === 'ArrowRight' ? stepPx : 0
    if (by === 0) return
    event.preventDefault()
    event.stopPropagation()
    onResize(width + by)
  }
  return (
    <div
      aria-label="Width of the names"
      aria-orientation="vertical"
      aria-valuemax={widths.max}
      aria-valuemin={widths.min}
      aria-valuenow={width}
      className={styles.handle}
      onKeyDown={press}
      onPointerDown={drag}
      role="separator"
      tabIndex={0}
    />
  )
}
