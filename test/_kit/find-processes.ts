// Finds processes by their command line (on Linux), also those that no child process of this one stands for.
import { readdirSync, readFileSync } from 'node:fs'

/** Returns the ids of the processes whose command line contains the text. A child of PostgreSQL replaces its own soon after its start. */
export const findProcesses = (text: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && readCommand(pid).includes(text))

/** Returns the words of the command line, each followed by a zero character; empty if the process has ended. */
export function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
