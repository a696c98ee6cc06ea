// The built dashboard in memory: each file by its URL path, with the bytes and headers to send.
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { type Representations, represent } from '../web/representation.ts'

/** Files by path, such as `/index.html` and `/assets/app-1a2b3c.js`. No other file is served. */
export type DashboardFiles = ReadonlyMap<string, Representations>

// Far more than the dashboard may have, so that a wrong folder does not fill the memory.
const maxFiles = 500
const maxBytes = 32 * 1_048_576

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** Files in this folder have names that change with their content. */
export const isAsset = (path: string): boolean => path.startsWith('/assets/')

/**
 * Reads a folder once. `x.br` and `x.gz` are the compressed forms of `x`. Omits links and files of other types, such as source maps. Throws
 * if the folder does not exist or contains too much.
 */
export async function readFiles(folder: string): Promise<DashboardFiles> {
  const bytesOf = await readAll(folder)
  const files = new Map<string, Representations>()
  for (const [path, plain] of bytesOf) {
    const contentType = contentTypes[extname(path)]
    if (contentType === undefined) continue
    const bodies = { plain, brotli: bytesOf.get(`${path}.br`), gzip: bytesOf.get(`${path}.gz`) }
    const cacheControl = isAsset(path) ? 'public, max-age=31536000, immutable' : 'no-cache'
    files.set(path, represent(bodies, { version: 'page', cacheControl, contentType }))
  }
  if (!files.has('/index.html')) throw new Error(`${folder} has no index.html`)
  return files
}

async function readAll(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  if (paths.length > maxFiles) throw new Error(`${folder} has more than ${maxFiles} files`)
  const found = new Map<string, Buffer>()
  let bytes = 0
  for (const path of paths) {
    const content = await readFile(path)
    bytes += content.length
    if (bytes > maxBytes) throw new Error(`the files of ${folder} have more than ${maxBytes} bytes`)
    found.set(`/${relative(folder, path).split(sep).join('/')}`, content)
  }
  return found
}
