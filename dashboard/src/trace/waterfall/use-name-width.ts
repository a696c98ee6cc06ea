// The width of the column of names, which is stored in this browser and applies to all traces.
import { useState } from 'react'

const key = 'tracewright.name-width'
export const widths = { min: 160, usual: 340, max: 900 } as const

const bounded = (width: number): number => Math.round(Math.min(widths.max, Math.max(widths.min, width)))

function read(): number {
  const width = Number(localStorage.getItem(key) ?? Number.NaN)
  return Number.isFinite(width) ? bounded(width) : widths.usual
}

export function useNameWidth(): [width: number, setWidth: (width: number) => void] {
  const [width, setWidth] = useState(read)
  const keep = (wanted: number): void => {
    setWidth(bounded(wanted))
    localStorage.setItem(key, String(bounded(wanted)))
  }
  return [width, keep]
}
