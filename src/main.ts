// The program: reads the configuration, starts its role, and stops in order on a signal.
import { ConfigFault, readConfig } from './config.ts'
import { tuneCollector } from './roles/tune-collector.ts'
import { type Log, makeLog } from './telemetry/log.ts'
import { writeError } from './telemetry/standard-output.ts'

const forcedExitMs = 10_000
const exitDelayMs = 500
// One Ctrl-C in a terminal sends the signal twice: from the terminal and from npm.
const sameSignalMs = 1_000

async function main(): Promise<void> {
  const config = readConfig()
  const log = makeLog(config.LOG_LEVEL)
  // Each role loads only its own code: loading all of it would take most of the time of a migration.
  if (config.ROLES === 'migrate') {
    endOnSignal(log)
    return await (await import('./roles/migrate.ts')).runMigrations(config, log)
  }
  if (config.ROLES === 'rebuild') return await (await import('./roles/rebuild.ts')).runRebuild(config, log)
  const { readDrainDelayMs, startAll } = await import('./roles/all.ts')

  const stopping = new AbortController()
  let signalledAtMs = Number.NEGATIVE_INFINITY
  const stop = (reason: string, code: number): void => {
    if (code === 0 && performance.now() - signalledAtMs < sameSignalMs) return
    // A later signal ends the process at once, as does the timer below if the stop hangs: data that is not committed was not acknowledged.
    if (stopping.signal.aborted) process.exit(1)
    signalledAtMs = performance.now()
    stopping.abort()
    log.info({ reason }, 'stopping')
    setTimeout(() => process.exit(1), readDrainDelayMs(config) + config.DRAIN_MS + forcedExitMs).unref()
    // A start in progress completes first, or the resources that it has opened would be left behind. A failed start leaves nothing open;
    // `main` reports it.
    const started = starting.catch(() => null)
    const stopped = started.then(async (running) => await running?.stop())
    stopped.then(
      () => {
        log.info('stopped')
        process.exitCode ??= code
        // A socket to a hung server, abandoned by its client, would keep the process alive for as long as that server likes.
        setTimeout(() => process.exit(), exitDelayMs).unref()
      },
      (error: unknown) => {
        log.error({ error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  const starting = startAll(config, log, (reason) => stop(reason, 1), {
    onLoaded: tuneCollector,
    signal: stopping.signal,
  }).catch((error: unknown) => {
    // The start was waiting and has opened nothing.
    if (stopping.signal.aborted && (error as Error).name === 'AbortError') return null
    throw error
  })
  process.on('SIGTERM', () => stop('SIGTERM', 0))
  process.on('SIGINT', () => stop('SIGINT', 0))
  // A terminal that is closed. Without this, the embedded PostgreSQL would go on.
  process.on('SIGHUP', () => stop('SIGHUP', 0))
  // After an uncaught error the state is unknown: stop, and let the supervisor start a new process.
  process.on('uncaughtException', (error) => {
    log.error({ error }, 'uncaught error')
    stop('uncaught error', 1)
  })
  await starting
}

/**
 * For work that may be interrupted at any time. The first process of a container has no default signal handlers, so nothing else would end
 * it.
 */
function endOnSignal(log: Log): void {
  for (const [reason, code] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(reason, () => {
      log.info({ reason }, 'stopping')
      process.exit(code)
    })
}

try {
  await main()
} catch (error) {
  if (error instanceof ConfigFault) writeError(`tracewright: ${error.message}\n`)
  else makeLog('error').error({ error }, 'the service could not start')
  process.exitCode = 1
}
