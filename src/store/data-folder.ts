// Floor 2. The folder of the embedded PostgreSQL.
import { lstatSync, mkdirSync } from 'node:fs'

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

function describe(folder: string, code: string): string {
  // Of a folder below a file nothing can be read.
  const stat = code === 'ENOTDIR' ? undefined : lstatSync(folder, { throwIfNoEntry: false })
  if (stat?.isSymbolicLink() === true) return 'is a link whose target is not a folder'
  if (stat?.isFile() === true) return 'is a file'
  return `cannot be created (${code})`
}
