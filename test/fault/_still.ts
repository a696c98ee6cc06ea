// How long the machine kept this process from running. Limits of time allow for it, so that they judge the service and not the machine.

export type StillMeter = {
  /** Starts to measure anew. */
  reset(): void
  /** The sum since the last reset of all delays of a timer that should fire every 10 ms. */
  totalMs(): number
  stop(): void
}

const tickMs = 10

export function openStillMeter(): StillMeter {
  let lastMs = performance.now()
  let stillMs = 0
  const late = (): number => Math.max(0, performance.now() - lastMs - tickMs)
  const timer = setInterval(() => {
    stillMs += late()
    lastMs = performance.now()
  }, tickMs)
  timer.unref()
  return {
    reset() {
      stillMs = 0
      lastMs = performance.now()
    },
    totalMs: () => stillMs + late(),
    stop: () => clearInterval(timer),
  }
}
