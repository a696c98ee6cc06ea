// A minimal page in the form of a build.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { ExecutionContext } from 'ava'

export const index = '<!doctype html><script type="module" src="/assets/app-1a2b3c.js"></script>'
export const script = `export const words = '${'many words '.repeat(200)}'`

const built: Readonly<Record<string, string | Uint8Array>> = {
  'index.html': index,
  'theme.js': 'document.documentElement.dataset.theme = localStorage.theme',
  'assets/app-1a2b3c.js': script,
  'assets/app-1a2b3c.js.br': brotliCompressSync(script),
  'assets/app-1a2b3c.js.gz': gzipSync(script),
  'assets/app-1a2b3c.js.map': '{}',
  'assets/app-4d5e6f.css': 'body { margin: 0 }',
  'assets/inter-7a8b9c.woff2': Buffer.from('a font'),
  '.vite/manifest.json': '{}',
}

/** Makes a folder that is removed when the test ends. */
export function makeFolder(t: Pick<ExecutionContext, 'teardown'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'dashboard-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function writeBuilt(folder: string): void {
  for (const [path, content] of Object.entries(built)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}
