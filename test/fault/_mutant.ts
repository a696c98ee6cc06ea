// Loaded ahead of the service (node --import) where a control runs it with one mechanism taken out: MUTANT names a file, a text in it, and
// what stands there instead. A text that is not there ends the process, so that no control proves nothing without anybody noticing.
import fs from 'node:fs'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import { normalize } from 'node:path'

export type Mutation = {
  readonly file: string
  readonly from: string
  readonly to: string
  /** The only member of a cluster that it is for; all where not given. */
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
