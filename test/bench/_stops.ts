// What a bench has started and must end, whatever happens: the last first.

export type Stops = { add<Thing>(thing: Thing, stop: (thing: Thing) => Promise<unknown>): Thing }

/** Runs the bench; ends all that it added, also where it throws half way or is told to end. */
export async function withStops(bench: (stops: Stops) => Promise<void>): Promise<void> {
  const stops: (() => Promise<unknown>)[] = []
  const stopAll = async (): Promise<void> => {
    for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
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
