// Floor 3. Work that is done one piece at a time for each key.

export type Turns = {
  /** Runs the work when all that was asked for before it under the same key has ended. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

export function makeTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return {
    async run(key, work) {
      const before = last.get(key)
      const own = before === undefined ? work() : before.then(work, work)
      last.set(key, own)
      try {
        return await own
      } finally {
        if (last.get(key) === own) last.delete(key)
      }
    },
  }
}
