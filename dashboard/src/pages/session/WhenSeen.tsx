import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Makes its content when it is about to be scrolled into view, and keeps it. `height`: of the place until then. */
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
