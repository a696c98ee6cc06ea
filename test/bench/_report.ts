// The output of every bench: one JSON line with a description of the machine, and a short table for people.
import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low, high] = [
    sorted[sorted.length % 2 === 0 ? middle - 1 : middle] ?? Number.NaN,
    sorted[middle] ?? Number.NaN,
  ]
  return (low + high) / 2
}

export type Figure = {
  readonly name: string
  readonly value: number | null
  readonly unit: string
  /** The values of every run, where the value is their median. */
  readonly runs?: readonly number[]
  /** The limits of `performance.md`, where it sets any. */
  readonly floor?: number
  readonly ceiling?: number
}

/** Prints the figures. A missed limit is marked but does not fail a build, since the machine may be noisy. */
export function report(bench: string, facts: Record<string, unknown>, figures: readonly Figure[]): void {
  const shown = figures.map((figure) => ({
    ...figure,
    value: round(figure.value),
    ...(figure.runs && { runs: figure.runs.map(round) }),
  }))
  process.stdout.write(
    `${JSON.stringify({ bench, at: new Date().toISOString(), ...describeMachine(), ...facts, figures: shown })}\n\n`,
  )
  for (const figure of shown) {
    const { name, value, unit } = figure
    process.stdout.write(`  ${name.padEnd(58)} ${String(value ?? 'unknown').padStart(10)} ${unit}${judge(figure)}\n`)
  }
  process.stdout.write('\n')
}

function judge({ value, floor, ceiling }: Pick<Figure, 'value' | 'floor' | 'ceiling'>): string {
  if (value === null || (floor === undefined && ceiling === undefined)) return ''
  const bar = floor === undefined ? `ceiling ${ceiling}` : `floor ${floor}`
  const holds = value >= (floor ?? -Infinity) && value <= (ceiling ?? Infinity)
  return holds ? `   (${bar})` : `   MISSES its ${bar}`
}

const round = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(4)))

function describeMachine(): Record<string, unknown> {
  return {
    commit: readCommit(),
    node: process.version,
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? 'unknown',
    memory_gib: Math.round(totalmem() / 2 ** 30),
  }
}

function readCommit(): string {
  try {
    const run = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim()
    return `${run('rev-parse', '--short', 'HEAD')}${run('status', '--porcelain', '--', 'src', 'workers', 'sql', 'dashboard') === '' ? '' : '+changes'}`
  } catch {
    return 'unknown'
  }
}
