import { useEffect, useState } from 'react'

/** Returns how many of `seconds` are left, counted from when `from` changed to another object. 0 if there is nothing to wait for. */
export function useCountdown(from: object | null, seconds: number | null): number {
  const [left, setLeft] = useState({ from, seconds: seconds ?? 0 })
  if (left.from !== from) setLeft({ from, seconds: seconds ?? 0 })
  const isOver = left.seconds <= 0
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => setLeft((now) => ({ ...now, seconds: Math.max(0, now.seconds - 1) })), 1_000)
    return () => clearInterval(timer)
  }, [isOver])
  return left.seconds
}
