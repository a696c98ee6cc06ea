// The folder of the cluster: where it is, whether it holds data, and who owns it. It may be a link to a folder elsewhere.
import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'

export type Ids = { readonly uid: number; readonly gid: number }

const advice = 'or set TRACEWRIGHT_DATA_DIR to another directory'

/**
 * Returns the folder of the cluster in the data directory: `postgres/`, or the target of this link. It may be missing. Throws an error that
 * says what to do if the target of the link is missing, such as a disk that is not mounted, since a new cluster must not replace the link;
 * and for root, if the link belongs to a user who does not own a cluster there, and whom root must not obey.
 */
export function locateCluster(dataDir: string): string {
  const path = join(dataDir, 'postgres')
  const link = lstatSync(path, { throwIfNoEntry: false })
  if (link?.isSymbolicLink() !== true) return path
  let folder: string
  let owner: number
  try {
    folder = realpathSync(path)
    owner = statSync(folder).uid
  } catch (cause) {
    throw new Error(`${path} is a link whose target cannot be read (${readCode(cause)}): restore it, ${advice}`, {
      cause,
    })
  }
  // A first start gives an empty folder to the user of the server.
  if (process.getuid?.() === 0 && link.uid !== 0 && (link.uid !== owner || !hasCluster(folder)))
    throw new Error(
      `${path} is a link of user ${link.uid} to a folder of user ${owner}: if it is right, run chown -h root ${path}, ${advice}`,
    )
  return folder
}

/**
 * Whether the folder holds a cluster. False if it is missing or empty. Throws an error that says what to do if this process cannot look into
 * it, or if it holds other files: a new cluster must not replace them.
 */
export function hasCluster(folder: string): boolean {
  try {
    if (statSync(join(folder, 'PG_VERSION'), { throwIfNoEntry: false }) !== undefined) return true
    if (statSync(folder, { throwIfNoEntry: false }) === undefined || readdirSync(folder).length === 0) return false
  } catch (cause) {
    const code = readCode(cause)
    const way = code === 'EACCES' ? 'start the service as the user who owns it' : 'make it a folder that can be read'
    throw new Error(`the data of PostgreSQL in ${folder} cannot be read (${code}): ${way}, ${advice}`, { cause })
  }
  throw new Error(`${folder} holds files, but no PG_VERSION of PostgreSQL: restore it, move the files away, ${advice}`)
}

/** The owner of the cluster; null if there is none yet. Throws as `hasCluster` does. */
export function readOwner(folder: string): Ids | null {
  if (!hasCluster(folder)) return null
  const { uid, gid } = statSync(folder)
  return { uid, gid }
}

const readCode = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown error'
