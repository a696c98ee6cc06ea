// Memory of the service and its PostgreSQL while something goes on: one without the other is not what a machine must have.
import { readMemory, treeMiB } from './_cpu.ts'
import type { Figure } from './_report.ts'

/** In MiB. */
export type MemorySample = { readonly service: number; readonly database: number }

// Reading how much is shared walks the page tables of every process of the database, for some milliseconds each.
const sampleMs = 1_000

/** Samples until it is stopped, and once then. */
export function sampleMemory(servicePid: number, databasePid: number, everyMs = sampleMs): { stop(): MemorySample[] } {
  const samples: MemorySample[] = []
  const take = (): void => {
    const [service, database] = [readMemory(servicePid)?.nowMiB, treeMiB(databasePid)]
    if (service !== undefined && database !== null) samples.push({ service, database })
  }
  const timer = setInterval(take, everyMs)
  return {
    stop() {
      clearInterval(timer)
      take()
      return samples
    },
  }
}

/** What was highest of the samples, by `during`. */
export function describeMemory(during: string, samples: readonly MemorySample[]): Figure[] {
  const highest = (of: (sample: MemorySample) => number): number | null =>
    samples.length === 0 ? null : Math.max(...samples.map(of))
  return [
    { name: `${during}: memory of the service (resident)`, value: highest(({ service }) => service), unit: 'MiB' },
    {
      name: `${during}: of PostgreSQL (private, and shared once)`,
      value: highest(({ database }) => database),
      unit: 'MiB',
    },
    {
      name: `${during}: of both at one time`,
      value: highest(({ service, database }) => service + database),
      unit: 'MiB',
    },
  ]
}
