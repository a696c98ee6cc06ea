// Writes the table of settings into README.md, between its markers: node test/shape/write-config-table.ts
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeConfig } from '../../src/config.ts'
import { read, root } from './_source.ts'

const start = '<!-- config:start -->'
const end = '<!-- config:end -->'

/** The table as it stands, and what is before and after it. Throws where a marker is missing. */
export function cutConfigTable(readme: string): { before: string; table: string; after: string } {
  const from = readme.indexOf(start)
  const to = readme.indexOf(end)
  if (from < 0 || to < from) throw new Error(`README.md needs the markers ${start} and ${end}, in this order`)
  const first = from + start.length
  return { before: readme.slice(0, first), table: readme.slice(first, to).trim(), after: readme.slice(to) }
}

if (import.meta.main) {
  const { before, after } = cutConfigTable(read('README.md'))
  writeFileSync(join(root, 'README.md'), `${before}\n${describeConfig()}\n${after}`)
}
