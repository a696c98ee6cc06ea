// What a bench has started and must end, whatever happens: the last first.

export type Stops = { add<Thing>(thing: Thing, stop: (thing: Thing) => Promise<unknown>): Thing }

/** Runs the bench; ends all that it added, also where it throws half way. */
export async function withStops(bench: (stops: Stops) => Promise<void>): Promise<void> {
  const stops: (() => Promise<unknown>)[] = []
  try {
    await bench({
      add(thing, stop) {
        stops.push(async () => await stop(thing))
        return thing
      },
    })
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}
