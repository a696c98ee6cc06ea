// npm run cluster [-- --restart]: starts NATS, a database, two fronts and three actors behind one port, whose parts can be killed and
// watched.
import { runCommand } from '../_kit/command.ts'
import { clusterUsage, readLocalOptions } from './_options.ts'

/** The other ports are free ones. */
function explain(error: unknown): string | null {
  const { code, syscall, port } = error as NodeJS.ErrnoException & { port?: number }
  return code === 'EADDRINUSE' && syscall === 'listen'
    ? `Port ${port} is in use: stop the other program on it, or pass another --port.`
    : null
}

await runCommand(async () => {
  const options = readLocalOptions(process.argv.slice(2))
  if (options === null) process.stdout.write(`${clusterUsage}\n`)
  // Loaded here, since a wrong option needs none of it.
  else await (await import('./_local.ts')).runLocalCluster(options)
}, explain)
