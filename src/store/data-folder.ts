// The folder of the embedded PostgreSQL, and the secrets that a start stores there.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'

/** Creates the folder if it does not exist. If that fails, throws an error that says what to do. */
export function makeDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException
    throw new Error(`the data folder ${folder} ${describe(folder, code)}: set TRACEWRIGHT_DATA_DIR to a folder`, {
      cause,
    })
  }
}

/**
 * Returns the secret in the file. If there is none, stores and returns a new one of `bytes` random bytes as base64url text. The file is
 * complete or absent: an empty one, which earlier releases left behind on a full disk, would be an empty secret for ever.
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
  return made
}

function describe(folder: string, code: string): string {
  // Nothing can be read about a folder below a file.
  const stat = code === 'ENOTDIR' ? undefined : lstatSync(folder, { throwIfNoEntry: false })
  if (stat?.isSymbolicLink() === true) return 'is a link whose target is not a folder'
  if (stat?.isFile() === true) return 'is a file'
  return `cannot be created (${code})`
}
