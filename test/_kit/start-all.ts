// Starts the service in the process of a test. The code of its roles is loaded with this file: on a busy machine, loading it during a test
// takes seconds, in which connection attempts of other tests would time out.
import '../../src/roles/actor.ts'
import { type Running, startAll as startOnce } from '../../src/roles/all.ts'
import '../../src/roles/front.ts'
import { tryAgain } from './try-again.ts'

/** As that of the service. A start that a standstill of the machine makes fail is repeated. */
export const startAll = async (...given: Parameters<typeof startOnce>): Promise<Running> =>
  await tryAgain(async () => await startOnce(...given))
