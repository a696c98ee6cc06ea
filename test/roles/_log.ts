// A log that keeps its lines instead of writing them.
import type { Log } from '../../src/watch/log.ts'

/** Each line as `<level> <message>`. */
export function keepLines(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = []
  const keep =
    (level: string) =>
    (first: unknown, message?: string): void =>
      void lines.push(`${level} ${message ?? String(first)}`)
  return {
    log: { info: keep('info'), warn: keep('warn'), debug: keep('debug'), error: keep('error') } as unknown as Log,
    lines,
  }
}
