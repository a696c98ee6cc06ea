// Checks for linear time by measurements of the same run, so that the speed and the load of the machine do not matter.

/**
 * Returns the CPU time of this thread, in ms, that the work took in the best of three runs, or in the first that took at most `enoughMs`.
 * Other processes do not count.
 */
export function leastCpuMs(work: () => unknown, enoughMs = 0): number {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3 && (tries === 0 || least > enoughMs); tries += 1) least = Math.min(least, cpuMsOf(work))
  return least
}

function cpuMsOf(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

/** Returns the CPU time, in ms, that it takes to read each of `bytes` bytes `looks` times. */
export function measureLooks(bytes: number, looks: number): number {
  const body = Buffer.alloc(bytes, 'a')
  return leastCpuMs(() => {
    let sum = 0
    for (let look = 0; look < looks; look += 1) for (const byte of body) sum += byte
    if (sum !== bytes * looks * 97) throw new Error('a byte was passed over')
  })
}

const growthParts = 32
// Measured: linear work took up to 6 times as long as its parts, since memory and garbage collection cost more for larger data; quadratic
// work takes 32 times as long. This is the geometric mean.
const growthLimit = 14
/** CPU time may be counted in ticks of this length. */
const tickMs = 4

/** Returns null where the time of the work is linear in its size; otherwise the measured times of the whole and of 32 parts of a 32nd each. */
export function findGrowthFault(workOn: (size: number) => unknown, size: number): string | null {
  const workOnParts = (): void => {
    // A single part may take less than a tick.
    for (let part = 0; part < growthParts; part += 1) workOn(size / growthParts)
  }
  // The first runs usually suffice. Below this time no parts need to be measured, since no limit is lower.
  const enoughMs = growthLimit * tickMs
  const onceMs = cpuMsOf(() => workOn(size))
  // Half of the limit, since a single run of the parts may be slow by chance.
  if (onceMs <= enoughMs || onceMs <= (growthLimit / 2) * cpuMsOf(workOnParts)) return null
  const limitMs = Math.max(enoughMs, growthLimit * leastCpuMs(workOnParts))
  const wholeMs = onceMs <= limitMs ? onceMs : leastCpuMs(() => workOn(size), limitMs)
  return wholeMs <= limitMs ? null : `${wholeMs} ms for all, ${limitMs} ms at most by its parts`
}
