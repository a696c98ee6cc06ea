// Brings a PostgreSQL into a recovery that never ends: killed in the middle of it, its startup process is not started again.
import { readdirSync, readFileSync } from 'node:fs'
import { hasStartupProcess } from '../../src/store/postmaster.ts'
import { askServer } from '../../src/store/watch-server.ts'
import { until } from './until.ts'

type Server = {
  /** Of the postmaster that runs now; null between two. */
  pid(): number | null
  url(database: string): string
}

// A recovery that is only about to begin is past after a few.
const provingLooks = 20

/** On Linux. Resolves when it has come to a halt. */
export async function breakRecovery(server: Server, timeoutMs: number): Promise<void> {
  let looks = 0
  await until(async () => {
    const pid = server.pid()
    if (pid === null || pid <= 1) return false
    const isRecovering = hasStartupProcess(pid) === true
    const answer = isRecovering ? 'starting' : await askServer(server.url('postgres'))
    if (isRecovering || answer === 'accepts') killChildren(pid)
    looks = !isRecovering && answer === 'starting' ? looks + 1 : 0
    return looks >= provingLooks
  }, timeoutMs)
}

/** SIGKILL to each process that it has started. */
function killChildren(parent: number): void {
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      if (Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]) === parent) process.kill(pid, 'SIGKILL')
    } catch (error) {
      // It has ended since.
      if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
}
