// Figures of a page: each is the median of five runs, with its budget, and as a ratio to a control of the same runs.
import { type Figure, median } from './_report.ts'

const runs = 5

/** Runs are sequential: two pages at once would compete for the machine. */
export async function repeat<T>(run: (nth: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let nth = 0; nth < runs; nth += 1) results.push(await run(nth))
  return results
}

export const pageFigure = (name: string, values: readonly number[], unit: string, ceiling?: number): Figure => ({
  name,
  value: median(values),
  unit,
  runs: values,
  ...(ceiling === undefined ? {} : { ceiling }),
})

type Timed = {
  readonly name: string
  readonly ms: readonly number[]
  readonly ceiling?: number
  /** Name of the control, and its times in milliseconds. */
  readonly control: string
  readonly controlMs: readonly number[]
}

/** Returns a time, which depends on the machine, and its ratio to the time of its control, which can be compared between machines. */
export const timeFigures = ({ name, ms, ceiling, control, controlMs }: Timed): Figure[] => [
  pageFigure(name, ms, 'ms', ceiling),
  { name: `  against ${control}`, value: median(ms) / median(controlMs), unit: 'x' },
]

export const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * 0.95))] ?? Number.NaN
