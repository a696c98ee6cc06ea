// A log that keeps its lines instead of writing them.

import { Outage } from '../../src/base/fault.ts'
import type { Log } from '../../src/watch/log.ts'

/** Each line as `<level> <message>`. `faults`: those of warnings and errors that tell of no outage, with what was thrown. */
export function keepLines(): { readonly log: Log; readonly lines: string[]; readonly faults: string[] } {
  const lines: string[] = []
  const faults: string[] = []
  const keep =
    (level: string) =>
    (first: unknown, message?: string): void => {
      const line = `${level} ${message ?? String(first)}`
      lines.push(line)
      const error = typeof first === 'object' && first !== null && 'error' in first ? first.error : null
      if ((level === 'warn' || level === 'error') && !(error instanceof Outage))
        faults.push(`${line}: ${String(error)}`)
    }
  return {
    log: { info: keep('info'), warn: keep('warn'), debug: keep('debug'), error: keep('error') } as unknown as Log,
    lines,
    faults,
  }
}
