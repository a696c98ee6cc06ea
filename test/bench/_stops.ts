// Ends in any case what a bench has started, in reverse order.

export type Stops = { add<Thing>(thing: Thing, stop: (thing: Thing) => Promise<unknown>): Thing }

/** Runs the bench and ends all that it added, also if it throws or is told to stop. */
export async function withStops(bench: (stops: Stops) => Promise<void>): Promise<void> {
  const stops: (() => Promise<unknown>)[] = []
  const stopAll = async (): Promise<void> => {
    for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void stopAll().finally(() => process.exit(1)))
  }
  try {
    await bench({
      add(thing, stop) {
        stops.push(async () => await stop(thing))
        return thing
      },
    })
  } finally {
    await stopAll()
  }
}
