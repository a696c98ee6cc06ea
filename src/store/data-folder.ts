// The folder of the embedded PostgreSQL, and the secrets that a start keeps there.
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

/** Made where it does not exist. Throws a sentence that says what to do where it cannot be. */
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
 * The secret of the file; where there is none, a new one of so many random bytes, as text. The file holds it as a whole or is not there:
 * an empty one, as a full disk left it to a release before, would be an empty secret for ever.
 */
export function readOrMakeSecret(file: string, bytes: number): string {
  const found = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  if (found !== '') return found
  const made = randomBytes(bytes).toString('base64url')
  const unfinished = `${file}.new`
  const opened = openSync(unfinished, 'w', 0o600)
  try {
    writeFileSync(opened, made)
    // What is sealed with it will outlive a loss of power, and so must it.
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
  renameSync(unfinished, file)
  return made
}

function describe(folder: string, code: string): string {
  // Of a folder below a file nothing can be read.
  const stat = code === 'ENOTDIR' ? undefined : lstatSync(folder, { throwIfNoEntry: false })
  if (stat?.isSymbolicLink() === true) return 'is a link whose target is not a folder'
  if (stat?.isFile() === true) return 'is a file'
  return `cannot be created (${code})`
}
