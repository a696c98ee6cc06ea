// CPU time and memory of processes, from /proc; null where there is none.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

// USER_HZ, which Linux fixes for what it shows to programs.
const ticksPerSecond = 100

type Stat = { readonly parent: number; readonly own: number; readonly reaped: number }

function readStat(path: string): Stat | null {
  try {
    const text = readFileSync(`/proc/${path}/stat`, 'utf8')
    // The name in brackets may hold blanks; the third field comes after it.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const sum = (from: number): number => ((fields[from] ?? 0) + (fields[from + 1] ?? 0)) / ticksPerSecond
    return { parent: fields[1] ?? 0, own: sum(11), reaped: sum(13) }
  } catch {
    // It has ended in between, or this is no Linux.
    return null
  }
}

/** Seconds of CPU that the process and its children, ended ones too, have used. */
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

/** Seconds of CPU that the process's first thread has used: of a Node process, its event loop. */
export const mainThreadSeconds = (pid: number): number | null => readStat(`${pid}/task/${pid}`)?.own ?? null

/** The process that started this one. */
export const parentOf = (pid: number): number | null => readStat(String(pid))?.parent ?? null

/** Resident memory now and at its highest, in MiB. */
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
 * Memory of a process and its children in MiB: what is private of each, and what several of them share once (proportional set
 * size). Null where the kernel does not tell.
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
    // It has ended in between, or this is no Linux.
    return null
  }
}

/** The highest memory is measured anew from now on; where that is not allowed it stays the highest of the process's life. */
export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // Another user's process, or no Linux: the figure is an upper bound then.
  }
}
