// Finds processes by their command line (on Linux), including processes that this one did not start.
import { readdirSync, readFileSync } from 'node:fs'

/** Returns the ids of the processes whose command line contains the text. PostgreSQL's children overwrite theirs soon after they start, so they are not found. */
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
