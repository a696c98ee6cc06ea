// Asks the service in this container whether it is alive or ready, where there is no shell and no curl: `node probe.ts live`.
import { get } from 'node:http'

const deadlineMs = 2_500

/** The status of a health page of this machine; null if it does not answer in time. */
export function probe(port: number, question: 'live' | 'ready'): Promise<number | null> {
  return new Promise((resolve) => {
    const request = get(
      { host: '127.0.0.1', port, path: `/v1/health/${question}`, timeout: deadlineMs },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? null)
      },
    )
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(null))
  })
}

if (import.meta.main) {
  const port = Number(process.env['TRACEWRIGHT_PORT'] ?? 8_080)
  process.exitCode = (await probe(port, process.argv[2] === 'ready' ? 'ready' : 'live')) === 200 ? 0 : 1
}
