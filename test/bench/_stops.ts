// Ends in any case what a bench has started, in reverse order.

export type Stops = {
  add<Thing>(thing: Thing, stop: (thing: Thing) => Promise<unknown>): Thing
  /** Like `add`, for a thing that is still starting: a signal waits for its start and then stops it. */
  start<Thing>(starting: Promise<Thing>, stop: (thing: Thing) => Promise<unknown>): Promise<Thing>
}

// One Ctrl-C in a terminal sends the signal twice: from the terminal and from npm.
const sameSignalMs = 1_000

/** Runs the bench and ends all that it added, also if it throws or is told to stop. */
export async function withStops(bench: (stops: Stops) => Promise<void>): Promise<void> {
  const stops: (() => Promise<unknown>)[] = []
  const stopAll = async (): Promise<void> => {
    for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop()
  }
  let toldAtMs: number | null = null
  const onSignal = (): void => {
    if (toldAtMs !== null) {
      if (performance.now() - toldAtMs >= sameSignalMs) process.exit(1)
      return
    }
    toldAtMs = performance.now()
    void stopAll().finally(() => process.exit(1))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  try {
    await bench({
      add(thing, stop) {
        stops.push(async () => await stop(thing))
        return thing
      },
      async start(starting, stop) {
        stops.push(async () => {
          // A failed start leaves nothing behind.
          const started = await starting.then((thing) => ({ thing })).catch(() => null)
          if (started !== null) await stop(started.thing)
        })
        const thing = await starting
        // The bench goes no further.
        if (toldAtMs !== null) await new Promise(() => undefined)
        return thing
      },
    })
  } finally {
    await stopAll()
  }
}
