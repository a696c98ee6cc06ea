// Writes the table of settings into the configuration page, between its markers: node test/shape/write-config-table.ts
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeConfig } from './_config-table.ts'
import { read, root } from './_source.ts'

export const configPage = 'deploy/docs/configuration.md'

const start = '<!-- config:start -->'
const end = '<!-- config:end -->'

/** Returns the current table, and the text before and after it. Throws if a marker is missing. */
export function cutConfigTable(page: string): { before: string; table: string; after: string } {
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${configPage} needs the markers ${start} and ${end}, in this order`)
  const first = from + start.length
  return { before: page.slice(0, first), table: page.slice(first, to).trim(), after: page.slice(to) }
}

if (import.meta.main) {
  const { before, after } = cutConfigTable(read(configPage))
  writeFileSync(join(root, configPage), `${before}\n${describeConfig()}\n${after}`)
}
