// The command-line options of `npm run cluster` and `npm run cluster:status`.
import { parseArgs } from 'node:util'
import { CommandFault, orUsage, wholeNumber } from '../_kit/command.ts'

export const clusterUsage = `Starts NATS, a database, fronts and actors behind one port, whose parts can be killed and watched.

  npm run cluster -- [--restart] [--port 8080] [--fronts 2] [--actors 3]

  --restart   starts a part again one second after it has ended
  --port      port of the service on this machine; 0 picks a free one
  --fronts    number of processes that answer requests, 1 to 20
  --actors    number of processes that own workspaces, 1 to 20`

export const statusUsage = `Prints what each process of a cluster reports on its metrics port.

  npm run cluster:status -- [--watch] [--json] [http://host:9464 …]

  --watch     again every second
  --json      one line of JSON
  Addresses are those of metrics ports. Without any: the processes of \`npm run cluster\` on this machine.`

export type LocalOptions = {
  readonly restart: boolean
  readonly port: number
  readonly fronts: number
  readonly actors: number
}

export type StatusOptions = { readonly watch: boolean; readonly json: boolean; readonly urls: readonly string[] }

const help = { help: { type: 'boolean', short: 'h', default: false } } as const

/** Returns null if help is requested. Throws a CommandFault that says what is wrong. */
export function readLocalOptions(args: readonly string[]): LocalOptions | null {
  const options = {
    restart: { type: 'boolean', default: false },
    port: { type: 'string', default: '8080' },
    fronts: { type: 'string', default: '2' },
    actors: { type: 'string', default: '3' },
    ...help,
  } as const
  const { values } = orUsage(() => parseArgs({ args: [...args], options }), clusterUsage)
  if (values.help) return null
  return {
    restart: values.restart,
    port: wholeNumber('port', values.port, 0, 65_535),
    fronts: wholeNumber('fronts', values.fronts, 1, 20),
    actors: wholeNumber('actors', values.actors, 1, 20),
  }
}

/** Returns null if help is requested. Throws a CommandFault that says what is wrong. */
export function readStatusOptions(args: readonly string[]): StatusOptions | null {
  const options = {
    watch: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    ...help,
  } as const
  const parse = () => parseArgs({ args: [...args], options, allowPositionals: true })
  const { values, positionals } = orUsage(parse, statusUsage)
  if (values.help) return null
  const wrong = positionals.find((url) => !/^https?:/.test(url) || !URL.canParse(url))
  if (wrong !== undefined)
    throw new CommandFault(`The address of a metrics port must be a URL such as http://host:9464, not "${wrong}".`)
  return { watch: values.watch, json: values.json, urls: positionals.map((url) => url.replace(/\/+$/, '')) }
}
