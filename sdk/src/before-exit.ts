// SDK. What the clients do when the process has nothing left to do. They share one listener: Node warns of a leak at eleven.

const actions = new Set<() => void>()

function runAll(): void {
  for (const run of actions) run()
}

/** Calls `run` each time that the process would end, until the returned function is called. */
export function beforeExit(run: () => void): () => void {
  if (actions.size === 0) process.on('beforeExit', runAll)
  actions.add(run)
  return () => {
    actions.delete(run)
    if (actions.size === 0) process.off('beforeExit', runAll)
  }
}
