// Asks a PostgreSQL server for its state, where the answer of a slow machine would be that there is no server.
import { askServer, type ServerState } from '../../src/store/watch-server.ts'
import { runInTime } from './in-time.ts'

// Below the 5 s after which `askServer` gives up, since timers may fire a little early.
const answerLimitMs = 4_900

/** Returns the answer of a server that does not keep silent. */
export const askInTime = async (url: string): Promise<ServerState> =>
  await runInTime(answerLimitMs, async () => await askServer(url))
