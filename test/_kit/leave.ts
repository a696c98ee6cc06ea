// Loaded ahead of every test process (`nodeArguments` of ava). The end of a process waits for V8's threads, and now and then one of them
// waits for a collection that the main thread will not make any more (nodejs/node#54918): then it never ends, and the whole run
// waits for it. With everything done, and done well, the process becomes one that ends at once.
import { flushCompileCache } from 'node:module'

process.on('exit', (code) => {
  if (code !== 0) return
  flushCompileCache()
  process.execve?.('/bin/true', ['true'])
})
