// Loaded before every test process (`nodeArguments` of ava), the test command and the checks. Occasionally a finished Node process never
// ends: it loops in Environment::CleanupHandles over abandoned sockets (seen with 24.21 after tests of the cluster), or deadlocks with a V8
// thread (nodejs/node#54918), and the whole run waits for it. So on exit it is replaced by a process that ends at once.
import { flushCompileCache } from 'node:module'
import { takeCoverage } from 'node:v8'

process.on('exit', (code) => {
  flushCompileCache()
  // Node writes the coverage of `npm run coverage` when it ends, which this process does not.
  if (process.env['NODE_V8_COVERAGE'] !== undefined) takeCoverage()
  process.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`])
})
