// Loaded before the service (node --import) where a control runs it without one mechanism: MUTANT names a file, a text in it, and the
// replacement. A text that is not found ends the process, so that a control cannot silently prove nothing.
import fs from 'node:fs'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import { normalize } from 'node:path'

export type Mutation = {
  readonly file: string
  readonly from: string
  readonly to: string
  /** The only member of a cluster to mutate; all members if absent. */
  readonly member?: string
}

const mutations = (JSON.parse(process.env['MUTANT'] ?? '[]') as Mutation[]).filter(
  ({ member }) => member === undefined || member === process.env['TRACEWRIGHT_MEMBER_NAME'],
)

function mutate(path: string, text: string): string {
  return mutations
    .filter(({ file }) => path.endsWith(`/${file}`))
    .reduce((mutated, { file, from, to }) => {
      if (!mutated.includes(from)) throw new Error(`${file} does not hold what the control takes out: ${from}`)
      return mutated.replace(from, to)
    }, text)
}

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!mutations.some(({ file }) => url.endsWith(`/${file}`))) return loaded
    return { ...loaded, source: mutate(url, Buffer.from(loaded.source as Uint8Array).toString()) }
  },
})

const read = fs.readFileSync
fs.readFileSync = ((path: string, options: BufferEncoding) => {
  const content = read(path, options)
  return typeof path === 'string' && path.endsWith('.sql') ? mutate(normalize(path), content) : content
}) as typeof fs.readFileSync
syncBuiltinESMExports()
