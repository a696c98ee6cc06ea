import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Renders its content when it is within 200 pixels of the view, and keeps it from then on. `height`: of the placeholder, in pixels. */
export function WhenSeen({ height, children }: { readonly height: number; readonly children: ReactNode }) {
  const [isSeen, setSeen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (element === null || isSeen) return
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
      },
      { rootMargin: '200px' },
    )
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [isSeen])
  return isSeen ? children : <div ref={place} style={{ height }} />
}
