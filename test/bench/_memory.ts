// Memory of the service and its PostgreSQL during a workload. Both are sampled, since a machine must hold both.
import { readMemory, treeMiB } from './_cpu.ts'
import type { Figure } from './_report.ts'

/** In MiB. */
export type MemorySample = { readonly service: number; readonly database: number }

// Reading the shared part walks the page tables of every process of the database, which takes some milliseconds each.
const sampleMs = 1_000

/** Samples until it is stopped, and once more then. */
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

/** Returns the highest of the samples as figures; `during` names the workload. */
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
