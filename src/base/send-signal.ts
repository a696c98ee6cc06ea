// Signals to processes that may have ended by then.

/**
 * Sends the signal to a process, or to a process group if the id is negative. Returns false if there is none, such as one that has just
 * ended. Throws if this process may not signal it.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    return false
  }
}
