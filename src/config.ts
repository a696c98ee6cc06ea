// The configuration: environment variables with the prefix TRACEWRIGHT_, all checked before anything starts.
import { readFileSync } from 'node:fs'
import { findConflicts } from './config-conflicts.ts'
import { prefix, type Settings, settings } from './settings.ts'

const settingsPage = 'deploy/docs/configuration.md'

/** The checked settings. Each module takes the subset that it needs. */
export type Config = Settings & { readonly PUBLIC_URL: string }

/** What is wrong with the environment, one sentence for each error. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(
      `the configuration has ${faults.length === 1 ? 'an error' : `${faults.length} errors`}:\n  ${faults.join('\n  ')}`,
    )
    this.faults = faults
  }
}

/** Reads the environment. `NAME_FILE` is the path of a file with the value of NAME. Throws a ConfigFault that lists all errors. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const faults: string[] = []
  const given = readGiven(env, faults)
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(settings)) {
    const text = given.get(name)
    if (text === null) continue
    const result = schema.safeParse(text)
    if (result.success) values[name] = result.data
    else faults.push(`${prefix}${name}: ${result.error.issues.map(({ message }) => message).join('; ')}`)
  }
  faults.push(...findConflicts(values as Partial<Settings>).map((conflict) => `${prefix}${conflict}`))
  if (faults.length > 0) throw new ConfigFault(faults)
  const checked = values as Settings
  return { ...checked, PUBLIC_URL: checked.PUBLIC_URL ?? makeLocalUrl(checked.PORT) }
}

/** The issuer must be known before the system picks a free port, and stay the same across restarts. */
const makeLocalUrl = (given: number): string =>
  `http://localhost:${given === 0 ? settings.PORT.parse(undefined) : given}`

/** The texts by name; null: its file cannot be read. */
type Given = Map<string, string | null>

function readGiven(env: NodeJS.ProcessEnv, faults: string[]): Given {
  const given: Given = new Map()
  for (const [variable, value] of Object.entries(env)) {
    if (!variable.toUpperCase().startsWith(prefix) || value === undefined) continue
    if (!variable.startsWith(prefix)) {
      faults.push(`${variable}: unknown setting; the names of settings are in upper case`)
      continue
    }
    const name = variable.slice(prefix.length)
    // The names of some settings end in _FILE themselves.
    const base = name.endsWith('_FILE') && !Object.hasOwn(settings, name) ? name.slice(0, -5) : name
    if (!Object.hasOwn(settings, base)) faults.push(`${variable}: unknown setting; ${settingsPage} lists all settings`)
    else if (given.has(base)) faults.push(`${prefix}${base}: is set twice, directly and with ${prefix}${base}_FILE`)
    else if (base === name) given.set(name, value)
    else readFile(variable, base, value, given, faults)
  }
  return given
}

function readFile(variable: string, name: string, path: string, given: Given, faults: string[]): void {
  try {
    given.set(name, readFileSync(path, 'utf8').trim())
  } catch (error) {
    given.set(name, null)
    faults.push(`${variable}: cannot read ${path} (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`)
  }
}
