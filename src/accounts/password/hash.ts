// Passwords as argon2id in PHC strings; at most a few hashes at once, since each takes its memory.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { makeSemaphore } from '../../base/semaphore.ts'

export type HashCost = { readonly memoryKib: number; readonly passes: number; readonly parallelism: number }

/** 64 MiB, the default, take 44–91 ms on the machine where the passes were chosen. OWASP asks for 19 MiB and 2 passes at least. */
export const hashCostOf = (memoryMib: number): HashCost => ({ memoryKib: memoryMib * 1_024, passes: 3, parallelism: 1 })

export type PasswordHasher = {
  /** A PHC string with a fresh salt. Throws Outage where too many wait. */
  readonly hash: (password: string) => Promise<string>
  /** Takes the same time for null (nobody has that address), and is then false. `stale`: made with other parameters than today's. */
  readonly verify: (
    password: string,
    phc: string | null,
  ) => Promise<{ readonly matches: boolean; readonly stale: boolean }>
}

const argon2Async = promisify(argon2)
/** Threads that Node has for such work. */
const maxAtOnce = 4
const maxWaiting = 32
const saltBytes = 16
const tagBytes = 32
const phcPattern = /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

type Parsed = { readonly cost: HashCost; readonly salt: Buffer; readonly tag: Buffer }

/** Hashes that run side by side on so many cores: who signs in with wrong passwords must leave a core to all others. */
export const hashesAtOnce = (cores: number): number => Math.max(1, Math.min(maxAtOnce, cores - 1))

/** `atOnce` run, and 32 wait, some 3 s where one runs at a time: with four, some 256 MiB at most with the default cost. */
export function makePasswordHasher(
  cost: HashCost,
  atOnce: number = hashesAtOnce(availableParallelism()),
): PasswordHasher {
  const limit = makeSemaphore(atOnce, maxWaiting)
  const dummy: Parsed = { cost, salt: randomBytes(saltBytes), tag: randomBytes(tagBytes) }

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
    verify: async (password, phc) => {
      const stored = phc === null ? dummy : parsePhc(phc)
      const tag = await derive(password, stored.salt, stored.cost, stored.tag.byteLength)
      const matches = timingSafeEqual(tag, stored.tag) && phc !== null
      return { matches, stale: !isSameCost(stored.cost, cost) }
    },
  }
}

const isSameCost = (a: HashCost, b: HashCost): boolean =>
  a.memoryKib === b.memoryKib && a.passes === b.passes && a.parallelism === b.parallelism

const formatBase64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

function formatPhc({ cost, salt, tag }: Parsed): string {
  const parameters = `m=${cost.memoryKib},t=${cost.passes},p=${cost.parallelism}`
  return `$argon2id$v=19$${parameters}$${formatBase64(salt)}$${formatBase64(tag)}`
}

function parsePhc(phc: string): Parsed {
  const [, memoryKib, passes, parallelism, salt, tag] = phcPattern.exec(phc) ?? []
  if (salt === undefined || tag === undefined) throw new Error('a stored password hash is not an argon2id PHC string')
  return {
    cost: { memoryKib: Number(memoryKib), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}
