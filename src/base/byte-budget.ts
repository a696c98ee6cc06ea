// A bound on the bytes that many callers hold at once. Callers belong to owners: where room is short, the owner that holds most
// gives way.

export type ByteBudget = {
  /** A hold on nothing yet. `cut` is called, once at most, where its bytes are given to another owner: it can take nothing any more. */
  open(owner: string, cut: () => void): ByteHold
  taken(): number
}

export type ByteHold = {
  /** False where there is no room, also after it was cut; nothing is taken then. */
  take(bytes: number): boolean
  /** It is not cut from here on. */
  keep(): void
  /** Gives back all that it holds. */
  give(): void
}

type Hold = { readonly owner: string; readonly cut: () => void; bytes: number }
type Owner = {
  bytes: number
  holds: number
  /** Those that may be cut, oldest first. */
  readonly loose: Set<Hold>
}

export function makeByteBudget(maxBytes: number): ByteBudget {
  const owners = new Map<string, Owner>()
  let taken = 0

  function ownerOf(name: string): Owner {
    const known = owners.get(name)
    if (known !== undefined) return known
    const owner: Owner = { bytes: 0, holds: 0, loose: new Set() }
    owners.set(name, owner)
    return owner
  }

  function add(hold: Hold, bytes: number): void {
    const owner = ownerOf(hold.owner)
    if (hold.bytes === 0) owner.holds += 1
    hold.bytes += bytes
    owner.bytes += bytes
    taken += bytes
  }

  function remove(hold: Hold): void {
    if (hold.bytes === 0) return
    const owner = ownerOf(hold.owner)
    owner.bytes -= hold.bytes
    taken -= hold.bytes
    hold.bytes = 0
    owner.loose.delete(hold)
    owner.holds -= 1
    if (owner.holds === 0) owners.delete(hold.owner)
  }

  /** The newest hold of the owner with most bytes, if these are more than `bytes`. */
  function findLargest(bytes: number): Hold | null {
    let largest: Owner | null = null
    for (const owner of owners.values())
      if (owner.loose.size > 0 && owner.bytes > (largest?.bytes ?? bytes)) largest = owner
    return largest === null ? null : ([...largest.loose].at(-1) ?? null)
  }

  function makeRoom(owner: string, bytes: number): boolean {
    while (taken + bytes > maxBytes) {
      const hold = findLargest((owners.get(owner)?.bytes ?? 0) + bytes)
      if (hold === null) return false
      remove(hold)
      hold.cut()
    }
    return true
  }

  return {
    open(owner, cut) {
      let isCut = false
      let isLoose = true
      const hold: Hold = {
        owner,
        bytes: 0,
        cut: () => {
          isCut = true
          cut()
        },
      }
      return {
        take(bytes) {
          if (bytes === 0) return !isCut
          if (isCut || !makeRoom(owner, bytes)) return false
          add(hold, bytes)
          if (isLoose) ownerOf(owner).loose.add(hold)
          return true
        },
        keep() {
          isLoose = false
          owners.get(owner)?.loose.delete(hold)
        },
        give: () => remove(hold),
      }
    },
    taken: () => taken,
  }
}
