// The built dashboard in memory: each file by the path under which browsers ask for it, ready to go out.
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { type Representations, represent } from '../web/representation.ts'

/** By path, `/index.html` and `/assets/app-1a2b3c.js` among them. What is not in here is not served. */
export type DashboardFiles = ReadonlyMap<string, Representations>

// Far more than a page may weigh; a folder of something else does not fill the memory.
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

/** The names of these change with their content. */
export const isAsset = (path: string): boolean => path.startsWith('/assets/')

/**
 * Reads a folder once. `x.br` and `x.gz` are the compressed forms of `x`. Files of other types, such as source maps, and links are
 * left out. Throws where there is no such folder, or where it holds too much.
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
