// The size of an element in whole pixels, for drawing on a canvas.
import { type RefObject, useEffect, useRef, useState } from 'react'

type Size = { readonly width: number; readonly height: number }

export function useSize<E extends Element>(): [ref: RefObject<E | null>, size: Size] {
  const ref = useRef<E>(null)
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return
      const { width, height } = entry.contentRect
      setSize({ width: Math.round(width), height: Math.round(height) })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, size]
}
