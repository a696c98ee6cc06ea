// Which cost the check of a password has if no user has the address. Hashes keep the cost that they were made with until their user signs in
// again. If unknown addresses all had the cost of today, the time of the answer would tell them from users who have not signed in since the
// cost was changed.
import { createHmac } from 'node:crypto'
import type { Database } from '../../store/database.ts'
import { type HashCost, parseCost } from './hash.ts'

export type HashCosts = {
  /** The same for every call with the address, until users are hashed again: a cost is as frequent among unknown addresses as among users. */
  readonly ofUnknown: (address: string) => HashCost
  /** Counts the costs of users. A pass over all users. Throws Outage. */
  readonly count: () => Promise<void>
}

type Deps = {
  readonly db: Pick<Database, 'rows'>
  /** Without it, nobody can compute which cost an unknown address has. */
  readonly key: Uint8Array
  /** While there are no users. */
  readonly today: HashCost
}

const drawBytes = 6

/** Before the first count, unknown addresses have the cost of today. */
export function makeHashCosts({ db, key, today }: Deps): HashCosts {
  let counts: readonly { readonly cost: HashCost; readonly users: number }[] = []
  return {
    ofUnknown: (address) => {
      const draw = createHmac('sha256', key).update(address).digest().readUIntBE(0, drawBytes) / 2 ** (8 * drawBytes)
      let left = draw * counts.reduce((sum, { users }) => sum + users, 0)
      for (const { cost, users } of counts) {
        left -= users
        if (left < 0) return cost
      }
      return today
    },
    count: async () => {
      const rows = await db.rows<{ parameters: string; users: number }>('accounts/count-hash-costs')
      counts = rows.flatMap(({ parameters, users }) => {
        const cost = parseCost(parameters)
        return cost === null ? [] : [{ cost, users }]
      })
    },
  }
}
