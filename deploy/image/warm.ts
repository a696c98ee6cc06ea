// Loads all that the image can run, once, while it is built: node leaves what it compiled in NODE_COMPILE_CACHE.
import { once } from 'node:events'
import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { tuneCollector } from '../../src/roles/tune-collector.ts'

if (getCompileCacheDir() === undefined)
  throw new Error('there is no compile cache: set NODE_COMPILE_CACHE to a folder that this user can write')

await Promise.all([
  import('./probe.ts'),
  import('../../src/config.ts'),
  import('../../src/telemetry/log.ts'),
  import('../../src/roles/all.ts'),
  import('../../src/bus/nats.ts'),
  import('../../src/roles/front.ts'),
  import('../../src/roles/actor.ts'),
  import('../../src/roles/migrate.ts'),
  import('../../src/roles/rebuild.ts'),
  import('../../workers/decode.ts'),
])
flushCompileCache()
tuneCollector()
// V8's flags are others from here on, so threads have a cache of their own. A pool loads the file by `require`, under its path.
const path = fileURLToPath(new URL('../../workers/decode.ts', import.meta.url))
await once(new Worker('require(require("node:worker_threads").workerData)', { eval: true, workerData: path }), 'exit')
