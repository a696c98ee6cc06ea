// What is linear, told by a measurement of the same run: so many looks at each byte, on this machine as busy as it is now.

/** The CPU time of this thread, in ms, that the work took in the best of three runs, or in the first that took at most `enoughMs`: other processes do not count. */
export function leastCpuMs(work: () => unknown, enoughMs = 0): number {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3 && least > enoughMs; tries += 1) {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}

/** What it takes to look at each of so many bytes so many times. */
export function measureLooks(bytes: number, looks: number): number {
  const body = Buffer.alloc(bytes, 'a')
  return leastCpuMs(() => {
    let sum = 0
    for (let look = 0; look < looks; look += 1) for (const byte of body) sum += byte
    if (sum !== bytes * looks * 97) throw new Error('a byte was passed over')
  })
}

const growthParts = 32
// Linear work took up to 6 times as long as its parts here, since memory and its collector cost more where there is more of it; quadratic
// work takes 32 times as long. This is half way, by factors.
const growthLimit = 14
/** CPU time may be counted in ticks of so long. */
const tickMs = 4

/** Null where the time that the work takes is linear in its size, else what was measured: the whole against 32 times a 32nd of it. */
export function findGrowthFault(workOn: (size: number) => unknown, size: number): string | null {
  const workOnParts = (): void => {
    // One part by itself may take less than a tick.
    for (let part = 0; part < growthParts; part += 1) workOn(size / growthParts)
  }
  const limitMs = growthLimit * Math.max(tickMs, leastCpuMs(workOnParts))
  const wholeMs = leastCpuMs(() => workOn(size), limitMs)
  return wholeMs <= limitMs ? null : `${wholeMs} ms for all, ${limitMs} ms at most by its parts`
}
