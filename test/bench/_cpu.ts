// CPU time and memory of processes, read from /proc; null where /proc does not exist.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

// USER_HZ, which Linux fixes for the figures that it shows to programs.
const ticksPerSecond = 100

type Stat = { readonly parent: number; readonly own: number; readonly reaped: number }

function readStat(path: string): Stat | null {
  try {
    const text = readFileSync(`/proc/${path}/stat`, 'utf8')
    // The name in brackets may contain blanks; the third field follows it.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const sum = (from: number): number => ((fields[from] ?? 0) + (fields[from + 1] ?? 0)) / ticksPerSecond
    return { parent: fields[1] ?? 0, own: sum(11), reaped: sum(13) }
  } catch {
    // The process has ended in the meantime, or this is not Linux.
    return null
  }
}

/** Returns the seconds of CPU that the process and its children, including ended ones, have used. */
export function cpuSeconds(pid: number): number | null {
  const stat = readStat(String(pid))
  if (stat === null) return null
  return childrenOf(pid).reduce((sum, child) => sum + (readStat(String(child))?.own ?? 0), stat.own + stat.reaped)
}

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => readStat(name)?.parent === pid)
    .map(Number)

/** Returns the seconds of CPU that the first thread of the process has used: in a Node process, its event loop. */
export const mainThreadSeconds = (pid: number): number | null => readStat(`${pid}/task/${pid}`)?.own ?? null

/** Returns the parent process of this one. */
export const parentOf = (pid: number): number | null => readStat(String(pid))?.parent ?? null

/** Returns the resident memory in MiB, now and at its peak. */
export function readMemory(pid: number): { nowMiB: number; peakMiB: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8')
    const read = (name: string): number =>
      Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1_024)
    return { nowMiB: read('VmRSS'), peakMiB: read('VmHWM') }
  } catch {
    return null
  }
}

/**
 * Returns the memory of a process and its children in MiB: private memory of each, and shared memory once (proportional set size). Null
 * where the kernel does not report it.
 */
export function treeMiB(pid: number): number | null {
  const sizes = [pid, ...childrenOf(pid)].map(readPssKiB)
  if (sizes[0] == null) return null
  return Math.round(sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0) / 1_024)
}

function readPssKiB(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? Number.NaN)
  } catch {
    // The process has ended in the meantime, or this is not Linux.
    return null
  }
}

/** Resets the peak of the resident memory; where that is not allowed, the peak stays that of the process's whole life. */
export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // Another user's process, or not Linux: the figure is an upper bound then.
  }
}
