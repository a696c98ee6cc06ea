// Repeats a start that failed because the machine stood still or because another process took its port.

/** Limits of a start or a login that only a standstill of some seconds reaches, and what a server says whose port is taken. */
const passing =
  /EADDRINUSE|Address already in use|ended at its start|timeout expired|Query read timeout|timeout exceeded when trying to connect|connection timeout|authentication timeout/i
/** An error of `until`: it has waited for minutes, and its message contains the source of the condition, which may contain one of these texts. */
const hung = /^this did not become true/m
const maxTries = 3

/** Returns the result of `start`, which must leave nothing running where it throws, and may be called three times. */
export async function tryAgain<T>(start: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start()
    } catch (error) {
      const messages = readMessages(error)
      if (tries === maxTries || hung.test(messages) || !passing.test(messages)) throw error
    }
  }
}

/** Returns the messages of the error and of its causes: the service wraps what the driver throws. */
const readMessages = (error: unknown): string =>
  error instanceof Error ? `${error.message}\n${readMessages(error.cause)}` : ''
