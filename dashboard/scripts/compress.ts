// Writes <file>.br and <file>.gz beside each text of the build, once, so that the service only has to send them.
import { writeFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { listDistFiles } from './dist-files.ts'

const texts = listDistFiles().filter(({ name }) => /\.(js|css|html|svg)$/.test(name))
// A start of the service takes index.html.gz, which is written last, as the sign that the build is complete.
const isPage = ({ name }: { name: string }): boolean => name === 'index.html'
for (const { path, bytes } of [...texts.filter((one) => !isPage(one)), ...texts.filter(isPage)]) {
  writeFileSync(`${path}.br`, brotliCompressSync(bytes))
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
}
