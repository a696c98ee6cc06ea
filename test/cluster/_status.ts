// What `npm run cluster:status` reads: the file that lists the processes of this machine, and the status of each.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CommandFault } from '../_kit/command.ts'
import type { Part, Status } from './_part.ts'

type Known = Pick<Part, 'name' | 'role' | 'baseUrl' | 'metricsUrl'>

/** Lists the processes of `npm run cluster` on this machine. */
export const stateFile = fileURLToPath(new URL('../../.cache/cluster.json', import.meta.url))

/** Returns the parts at these addresses; without any, those that `file` lists. Throws a CommandFault if there is no such list. */
export function listParts(urls: readonly string[], file: string): Known[] {
  if (urls.length > 0) return urls.map((url) => ({ name: url, role: 'actor', baseUrl: url, metricsUrl: url }))
  if (!existsSync(file))
    throw new CommandFault(
      'No `npm run cluster` runs on this machine: start one, or pass the addresses of metrics ports, such as http://host:9464.',
    )
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Known[]
  } catch (error) {
    throw new CommandFault(`The list of processes in ${file} cannot be read: ${(error as Error).message}`)
  }
}

/** Returns null if there is no answer in this time, or that of another program. */
export async function fetchStatus({ metricsUrl }: Pick<Known, 'metricsUrl'>, withinMs: number): Promise<Status | null> {
  try {
    const response = await fetch(`${metricsUrl}/status`, { signal: AbortSignal.timeout(withinMs) })
    const status = (await response.json()) as Status | null
    return response.ok && typeof status?.pid === 'number' ? status : null
  } catch {
    // It does not run, hangs, or sends no JSON.
    return null
  }
}
