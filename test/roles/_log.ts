// A log that keeps its lines instead of writing them.

import { Outage } from '../../src/base/fault.ts'
import type { Log } from '../../src/telemetry/log.ts'

/**
 * Lines are `<level> <message>`. `faults`: warnings and errors that do not report an outage, with the thrown error or a server's output.
 */
export function keepLines(): { readonly log: Log; readonly lines: string[]; readonly faults: string[] } {
  const lines: string[] = []
  const faults: string[] = []
  const keep =
    (level: string) =>
    (first: unknown, message?: string): void => {
      const line = `${level} ${message ?? String(first)}`
      lines.push(line)
      const facts: { error?: Error; line?: string } = typeof first === 'object' && first !== null ? first : {}
      if ((level === 'warn' || level === 'error') && !(facts.error instanceof Outage))
        faults.push(`${line}: ${String(facts.error ?? facts.line ?? null)}`)
    }
  return {
    log: { info: keep('info'), warn: keep('warn'), debug: keep('debug'), error: keep('error') } as unknown as Log,
    lines,
    faults,
  }
}
