// CPU time and memory of processes, from /proc; null where there is none.
import { readdirSync, readFileSync } from 'node:fs'

// USER_HZ, which Linux fixes for what it shows to programs.
const ticksPerSecond = 100

type Stat = { readonly parent: number; readonly own: number; readonly reaped: number }

function readStat(pid: number | string): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
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
  const stat = readStat(pid)
  if (stat === null) return null
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(readStat)
  return children.reduce((sum, child) => sum + (child?.parent === pid ? child.own : 0), stat.own + stat.reaped)
}

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
