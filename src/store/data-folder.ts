// The folder of the embedded PostgreSQL, and the secrets that a start stores there.
import { randomBytes } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** Creates the folder if it does not exist. Throws an error that says what to do if that fails or the folder is not writable. */
export function makeDataFolder(folder: string): void {
  try {
    makeFolders(folder)
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException
    throw new Error(
      `the data directory ${folder} ${describe(folder, code)}: set TRACEWRIGHT_DATA_DIR to a directory that the user of the service can write`,
      { cause },
    )
  }
}

/**
 * Creates the folder and its parents. The option `recursive` of Node never returns if the system answers ENOENT although the parent exists,
 * as in /proc.
 */
function makeFolders(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return
    if (code !== 'ENOENT' || existsSync(dirname(folder))) throw error
    makeFolders(dirname(folder))
    mkdirSync(folder)
  }
}

/**
 * Returns the secret in the file. If there is none, stores and returns a new one of `bytes` random bytes as base64url text. The file is
 * complete or absent: an empty one, which earlier releases left behind on a full disk, would be an empty secret forever.
 */
export function readOrMakeSecret(file: string, bytes: number): string {
  const found = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  if (found !== '') return found
  const made = randomBytes(bytes).toString('base64url')
  const unfinished = `${file}.new`
  const opened = openSync(unfinished, 'w', 0o600)
  try {
    writeFileSync(opened, made)
    // Data that is sealed with the secret survives a power failure, so the secret must survive it as well.
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
  renameSync(unfinished, file)
  syncFolder(dirname(file))
  return made
}

// Systems and file systems that cannot synchronise a folder answer so; PostgreSQL ignores these codes too.
const cannotSync = new Set(['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'EPERM'])

/** Makes the names in the folder survive a power failure, where the system can. */
function syncFolder(folder: string): void {
  let opened: number | undefined
  try {
    opened = openSync(folder, 'r')
    fsyncSync(opened)
  } catch (error) {
    if (!cannotSync.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
}

function describe(folder: string, code: string): string {
  if (code !== 'EEXIST') return `cannot be ${code === 'ENOENT' || code === 'ENOTDIR' ? 'created' : 'used'} (${code})`
  return lstatSync(folder).isSymbolicLink() ? 'is a link whose target is not a directory' : 'is a file'
}
