// Stops parts in reverse order of opening. A part that fails to stop does not keep the others running.

export type StopList = { add(stop: () => Promise<void> | void): void; run(): Promise<void> }

/** `run` stops each part once and throws an AggregateError at the end if any of them failed. */
export function makeStopList(): StopList {
  const stops: (() => Promise<void> | void)[] = []
  return {
    add: (stop) => void stops.push(stop),
    async run() {
      const failures: unknown[] = []
      for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) {
        try {
          await stop()
        } catch (error) {
          failures.push(error)
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, 'some components did not stop')
    },
  }
}
