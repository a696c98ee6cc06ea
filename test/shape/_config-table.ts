// The table of settings, generated from the schema.
import { prefix, settings } from '../../src/settings.ts'

/** Returns the table of settings in deploy/docs/configuration.md. */
export function describeConfig(): string {
  const rows = Object.entries(settings).map(([name, schema]) => {
    const initial = schema.safeParse(undefined)
    const text = initial.success && initial.data !== undefined ? `\`${String(initial.data)}\`` : ''
    // A vertical bar would end the cell.
    const meaning = (schema.description ?? '').replaceAll('|', '\\|')
    return `| \`${prefix}${name}\` | ${text} | ${meaning} |`
  })
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n')
}
