// Explains, from the lines that PostgreSQL wrote, why it ended at its start, and what to do about it.

export type StartLog = {
  add(line: string): void
  /** Returns one clause, without a full stop. */
  explain(server: { readonly folder: string; readonly port: number }): string
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
    explain({ folder, port }) {
      // The fatal line only summarises that no address could be bound, and the last line only reports the shutdown.
      const line = lines.find((one) => one.includes('could not bind')) ?? lines.findLast(isFatal) ?? lines.at(-1)
      if (line === undefined) return 'it wrote nothing'
      const text = line.replace(severity, '')
      if (/could not bind .*Address already in use/.test(text))
        return `${text} (port ${port}): stop the program that uses this port, or restart Tracewright, which takes a free port`
      if (text.includes('"postmaster.pid" already exists'))
        return `${text}: stop the PostgreSQL that runs on ${folder}; if there is none, delete postmaster.pid in that folder`
      return text
    },
  }
}

/** Returns the line of initdb's output that gives the reason of its failure; later lines are about the clean-up. */
export function explainInitdb(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const reason = lines.find((line) => isFatal(` ${line}`) || line.startsWith('initdb: error: '))
  return reason ?? lines.at(-1) ?? 'it wrote nothing'
}
