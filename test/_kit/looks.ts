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
// Half way, by factors, between 32 of linear time and 1,024 of quadratic time: memory and its collector cost more where there is more of it.
const growthLimit = 180

/** Null where the time that the work takes is linear in its size, else what was measured: the whole against a 32nd of it. */
export function findGrowthFault(workOn: (size: number) => unknown, size: number): string | null {
  const partMs = Math.max(
    1,
    leastCpuMs(() => workOn(size / growthParts)),
  )
  const wholeMs = leastCpuMs(() => workOn(size), growthLimit * partMs)
  return wholeMs <= growthLimit * partMs ? null : `${partMs} ms for a 32nd of it, ${wholeMs} ms for all`
}
