// Hashes passwords with argon2id, as PHC strings. Only a few hashes run at a time, since each needs much memory.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { makeSemaphore } from '../../base/semaphore.ts'

export type HashCost = { readonly memoryKib: number; readonly passes: number; readonly parallelism: number }

/**
 * 64 MiB, the default, took 44–91 ms on the machine on which the number of passes was chosen. OWASP requires at least 19 MiB and 2 passes.
 */
export const hashCostOf = (memoryMib: number): HashCost => ({ memoryKib: memoryMib * 1_024, passes: 3, parallelism: 1 })

export type PasswordHasher = {
  /** Returns a PHC string with a fresh salt. Throws Outage if too many calls wait. */
  readonly hash: (password: string) => Promise<string>
  /**
   * `stored`: a PHC string, or, if there is no such user, a cost: takes as long as for a hash of that cost, and does not match. `stale`: the
   * hash has other costs than today's.
   */
  readonly verify: (
    password: string,
    stored: string | HashCost,
  ) => Promise<{ readonly matches: boolean; readonly stale: boolean }>
}

const argon2Async = promisify(argon2)
/** The number of threads that Node has for such work. */
const maxAtOnce = 4
const maxWaiting = 32
const saltBytes = 16
const tagBytes = 32
const phcPattern = /^\$argon2id\$v=19\$([^$]+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/
const costPattern = /^m=(\d{1,8}),t=(\d{1,3}),p=(\d{1,3})$/

type Parsed = { readonly cost: HashCost; readonly salt: Buffer; readonly tag: Buffer }

/** Number of concurrent hashes for this many cores: sign-ins with wrong passwords must leave one core for everything else. */
export const hashesAtOnce = (cores: number): number => Math.max(1, Math.min(maxAtOnce, cores - 1))

/**
 * `atOnce` hashes run and 32 calls wait, some 3 s if one runs at a time. Four at a time need at most some 256 MiB with the default cost.
 */
export function makePasswordHasher(
  cost: HashCost,
  atOnce: number = hashesAtOnce(availableParallelism()),
): PasswordHasher {
  const limit = makeSemaphore(atOnce, maxWaiting)
  const dummy = { salt: randomBytes(saltBytes), tag: randomBytes(tagBytes) }

  const derive = async (password: string, salt: Buffer, of: HashCost, tagLength: number): Promise<Buffer> =>
    await limit.run(
      async () =>
        await argon2Async('argon2id', {
          message: Buffer.from(password),
          nonce: salt,
          parallelism: of.parallelism,
          memory: of.memoryKib,
          passes: of.passes,
          tagLength,
        }),
    )

  return {
    hash: async (password) => {
      const salt = randomBytes(saltBytes)
      return formatPhc({ cost, salt, tag: await derive(password, salt, cost, tagBytes) })
    },
    verify: async (password, stored) => {
      const isKnown = typeof stored === 'string'
      const hash: Parsed = isKnown ? parsePhc(stored) : { cost: stored, ...dummy }
      const tag = await derive(password, hash.salt, hash.cost, hash.tag.byteLength)
      const matches = timingSafeEqual(tag, hash.tag) && isKnown
      return { matches, stale: !isSameCost(hash.cost, cost) }
    },
  }
}

const isSameCost = (a: HashCost, b: HashCost): boolean =>
  a.memoryKib === b.memoryKib && a.passes === b.passes && a.parallelism === b.parallelism

const formatBase64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

const formatCost = ({ memoryKib, passes, parallelism }: HashCost): string =>
  `m=${memoryKib},t=${passes},p=${parallelism}`

/** Reads the parameters in a PHC string; null if they are none of argon2. */
export function parseCost(parameters: string): HashCost | null {
  const [, memoryKib, passes, parallelism] = costPattern.exec(parameters) ?? []
  if (parallelism === undefined) return null
  return { memoryKib: Number(memoryKib), passes: Number(passes), parallelism: Number(parallelism) }
}

function formatPhc({ cost, salt, tag }: Parsed): string {
  return `$argon2id$v=19$${formatCost(cost)}$${formatBase64(salt)}$${formatBase64(tag)}`
}

function parsePhc(phc: string): Parsed {
  const [, parameters = '', salt, tag] = phcPattern.exec(phc) ?? []
  const cost = parseCost(parameters)
  if (cost === null || salt === undefined || tag === undefined)
    throw new Error('a stored password hash is not an argon2id PHC string')
  return { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
}
