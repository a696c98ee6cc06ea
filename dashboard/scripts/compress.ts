// Writes <file>.br and <file>.gz beside each text of the build, once, so that the service only has to send them.
import { writeFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { listDistFiles } from './dist-files.ts'

for (const { name, path, bytes } of listDistFiles()) {
  if (!/\.(js|css|html|svg)$/.test(name)) continue
  writeFileSync(`${path}.br`, brotliCompressSync(bytes))
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
}
