// Loaded ahead of every test process (`nodeArguments` of ava). Now and then a Node process that is done never ends: it turns in
// Environment::CleanupHandles for ever over sockets that were given up (seen with 24.21 after tests of the cluster), or waits for a thread
// of V8 that waits for it (nodejs/node#54918), and the whole run waits with it. So it becomes a process that ends at once.
import { flushCompileCache } from 'node:module'

process.on('exit', (code) => {
  flushCompileCache()
  process.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`])
})
