// Explains, from the lines that PostgreSQL wrote, why it ended at its start, and what to do about it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type StartLog = {
  add(line: string): void
  /** Returns one clause, without a full stop. */
  explain(server: FailedServer): string
}

export type FailedServer = {
  readonly folder: string
  readonly port: number
  /** The version of the program, for example `18.4`; null if it cannot be read. */
  readonly readVersion: () => string | null
}

const maxLines = 50
const severity = /^.* (?:LOG|WARNING|ERROR|FATAL|PANIC): {2}/
const isFatal = (line: string): boolean => / (?:FATAL|PANIC): {2}/.test(line)
// Answers to connections that were tried too early.
const isRefusal = (line: string): boolean => /FATAL: {2}the database system is /.test(line)

export function makeStartLog(): StartLog {
  const lines: string[] = []
  return {
    add(line) {
      if (isRefusal(line)) return
      lines.push(line)
      if (lines.length > maxLines) lines.shift()
    },
    explain({ folder, port, readVersion }) {
      // The fatal line only summarises that no address could be bound, and the last line only reports the shutdown.
      const line = lines.find((one) => one.includes('could not bind')) ?? lines.findLast(isFatal) ?? lines.at(-1)
      if (line === undefined) return 'it wrote nothing'
      const text = line.replace(severity, '')
      if (/could not bind .*Address already in use/.test(text))
        return `${text} (port ${port}): stop the program that uses this port, or restart Tracewright, which takes a free port`
      if (text.includes('"postmaster.pid" already exists'))
        return `${text}: stop the PostgreSQL that runs on ${folder}; if there is none, delete postmaster.pid in that folder`
      if (text.includes('database files are incompatible with server'))
        return explainVersions(folder, readVersion()) ?? text
      return text
    },
  }
}

/** PostgreSQL names both versions in a detail, which its terse log leaves out. Null if they are not the reason. */
function explainVersions(folder: string, version: string | null): string | null {
  const major = version?.split('.')[0]
  const found = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  if (major === undefined || found === major) return null
  return (
    `the data in ${folder} is of PostgreSQL ${found}, and this release runs PostgreSQL ${major}: start the release that has created ` +
    'the data, back its database up with deploy/backup.sh, and restore that into a PostgreSQL of your own with deploy/restore.sh'
  )
}

/** Returns the line of initdb's output that gives the reason of its failure; later lines are about the clean-up. */
export function explainInitdb(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const reason = lines.find((line) => isFatal(` ${line}`) || line.startsWith('initdb: error: '))
  return reason ?? lines.at(-1) ?? 'it wrote nothing'
}
