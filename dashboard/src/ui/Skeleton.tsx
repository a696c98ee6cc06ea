import { useEffect, useRef, useState } from 'react'
import styles from './skeleton.module.css'

const quietMs = 150
const heldMs = 300

type Phase = 'nothing' | 'skeleton' | 'content'

/** Returns what to show during loading: nothing for `quietMs`, then a skeleton for at least `heldMs`, so that it does not flash. */
export function useSkeleton(isLoading: boolean): Phase {
  const [isShown, setShown] = useState(false)
  const shownAtMs = useRef(0)
  useEffect(() => {
    if (isLoading === isShown) return
    const leftMs = isLoading ? quietMs : Math.max(0, shownAtMs.current + heldMs - performance.now())
    const timer = setTimeout(() => {
      shownAtMs.current = performance.now()
      setShown(isLoading)
    }, leftMs)
    return () => clearTimeout(timer)
  }, [isLoading, isShown])
  if (isShown) return 'skeleton'
  return isLoading ? 'nothing' : 'content'
}

/** A grey area of the height of the content that is being loaded. */
export function Skeleton({ height }: { readonly height: number }) {
  return <div className={styles.skeleton} style={{ height }} aria-hidden="true" />
}
