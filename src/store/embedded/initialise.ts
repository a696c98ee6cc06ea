// Creates the cluster of the embedded PostgreSQL.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasCluster } from './cluster-folder.ts'
import { type ServerUser, spawnAs } from './server-user.ts'
import { explainInitdb } from './start-failure.ts'

export type Binaries = { readonly postgres: string; readonly initdb: string }

export const superuser = 'tracewright'
/** What to do if the programs of PostgreSQL are missing or cannot be run. */
export const binariesHint = 'run npm ci, or set TRACEWRIGHT_DATABASE_URL to your own PostgreSQL'

/** The version that these programs report, for example `18.4`; null if they do not run. Takes some 10 ms. */
export function readVersion({ postgres }: Binaries): string | null {
  const { stdout } = spawnSync(postgres, ['--version'], { encoding: 'utf8' })
  return / (\d+\S*)\s*$/.exec(stdout ?? '')?.[1] ?? null
}

/**
 * Creates the cluster in the folder, which is missing or empty. Leaves nothing behind if that fails. A missing folder is created under
 * another name in the data directory and renamed once it is complete: initdb writes PG_VERSION first and needs seconds for the rest, so an
 * interrupted folder looks like a complete one. Each attempt uses its own name, since an initdb whose service was killed continues to run.
 * An existing folder may be the target of a link or a mount point, which cannot be replaced: initdb runs in it, and the operator has to empty
 * it if that is interrupted.
 */
export async function initialise(
  binaries: Binaries,
  { dataDir, folder }: { readonly dataDir: string; readonly folder: string },
  password: string,
  user: ServerUser,
): Promise<void> {
  removeUnfinished(dataDir)
  const unfinished = join(dataDir, `postgres.new-${randomBytes(8).toString('hex')}`)
  const passwordFile = `${unfinished}.pw`
  const isMissing = !existsSync(folder)
  const place = isMissing ? unfinished : folder
  try {
    if (isMissing) mkdirSync(place, { mode: 0o700 })
    writeFileSync(passwordFile, password, { mode: 0o600 })
    if (user.ids !== null) for (const path of [place, passwordFile]) chownSync(path, user.ids.uid, user.ids.gid)
    await runInitdb(binaries, place, passwordFile, user)
    // Another process may have initialised the cluster meanwhile, and run a server on it.
    if (isMissing && !hasCluster(folder)) renameSync(place, folder)
  } finally {
    for (const path of [unfinished, passwordFile]) rmSync(path, { recursive: true, force: true })
  }
}

async function runInitdb(binaries: Binaries, folder: string, passwordFile: string, user: ServerUser): Promise<void> {
  const flags = ['-D', folder, '-U', superuser, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`]
  const output: string[] = []
  let code: number | null
  try {
    const child = spawnAs(user, binaries.initdb, [...flags, '-E', 'UTF8', '--locale=C', '--data-checksums'])
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data: Buffer) => output.push(data.toString()))
    code = await new Promise((done, fail) => child.once('exit', done).once('error', fail))
  } catch (cause) {
    const { code: reason = 'unknown error' } = cause as NodeJS.ErrnoException
    throw new Error(`initdb could not be started (${reason}): ${binariesHint}`, { cause })
  }
  if (code === 0) return
  const text = output.join('').trim()
  throw new Error(`initdb failed: ${explainInitdb(text)}`, { cause: new Error(text) })
}

/** Removes what killed first starts left in the data directory. */
function removeUnfinished(dataDir: string): void {
  // Copies that an operator has made have other names. An initdb that still runs there creates files until its folder is gone, hence the
  // retries.
  for (const name of readdirSync(dataDir))
    if (/^postgres\.new-[0-9a-f]{16}(?:\.pw)?$/.test(name))
      rmSync(join(dataDir, name), { recursive: true, force: true, maxRetries: 10 })
}
