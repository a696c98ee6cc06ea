// Puts a PostgreSQL server into a recovery that never ends: its startup process is killed during recovery and is not started again.
import { readdirSync, readFileSync } from 'node:fs'
import { hasStartupProcess } from '../../src/store/embedded/postmaster.ts'
import { askServer } from '../../src/store/watch-server.ts'
import { until } from './until.ts'

type Server = {
  /** Process id of the running postmaster; null between two of them. */
  pid(): number | null
  url(database: string): string
}

// A recovery that is only about to begin has progressed after a few checks.
const provingLooks = 20

/** Works on Linux only. Resolves when the recovery has stopped, or when `isOver`: the server was restarted before this was seen. */
export async function breakRecovery(server: Server, isOver = (): boolean => false): Promise<void> {
  let looks = 0
  await until(async () => {
    if (isOver()) return true
    const pid = server.pid()
    if (pid === null || pid <= 1) return false
    const isRecovering = hasStartupProcess(pid) === true
    const answer = isRecovering ? 'starting' : await askServer(server.url('postgres'))
    if (isRecovering || answer === 'accepts') killChildren(pid)
    looks = !isRecovering && answer === 'starting' ? looks + 1 : 0
    return looks >= provingLooks
  })
}

/** Sends SIGKILL to each child process. */
function killChildren(parent: number): void {
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      if (Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]) === parent) process.kill(pid, 'SIGKILL')
    } catch (error) {
      // The process has ended in the meantime.
      if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
}
