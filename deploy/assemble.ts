// Floor 4. `node deploy/assemble.ts`: makes the image's tree without an engine and tries it on a PostgreSQL. Needs root on a Debian-like Linux.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../src/store/embedded.ts'
import { readDockerfile } from './assemble-steps.ts'
import { assembleTree, type Image } from './assemble-tree.ts'
import { tryImage } from './assemble-trial.ts'

export const repository = fileURLToPath(new URL('../', import.meta.url))

/** The image of the Dockerfile, in an empty folder. `context` is the checkout that it copies from. Throws where a step fails. */
export function assemble(out: string, context = repository, onStep: (line: string) => void = () => undefined): Image {
  if (process.getuid?.() !== 0)
    throw new Error('run this as root: assembling the image without a container engine needs mount and chroot')
  const read = (path: string): string => readFileSync(join(context, path), 'utf8')
  return assembleTree({
    stages: readDockerfile(read('deploy/Dockerfile')),
    context,
    ignore: read('.dockerignore'),
    out,
    onStep,
  })
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      context: { type: 'string', default: repository },
      out: { type: 'string' },
      'database-url': { type: 'string' },
    },
  })
  const folder = mkdtempSync(join(tmpdir(), 'tracewright-image-'))
  // PostgreSQL runs as another user, who has to get in.
  chmodSync(folder, 0o755)
  const out = values.out ?? join(folder, 'stages')
  mkdirSync(out, { recursive: true })
  const say = (line: string): void => void process.stdout.write(`${line}\n`)
  try {
    const image = assemble(out, values.context, say)
    const given = values['database-url']
    const server =
      given === undefined
        ? await startEmbeddedPostgres({ dataDir: join(folder, 'data'), onLine: () => undefined })
        : null
    try {
      const { written, ...trial } = await tryImage(image, given ?? server?.url('postgres') ?? '')
      say(JSON.stringify(trial, null, 2))
      say(written)
    } finally {
      await server?.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await main()
