// A bound on the bytes that many callers hold at once. Callers belong to owners: when room is short, bytes are taken from the owner
// that holds the most.

export type ByteBudget = {
  /** Returns a hold of 0 bytes. `cut` is called at most once, when its bytes go to another owner; after that the hold can take nothing. */
  open(owner: string, cut: () => void): ByteHold
  taken(): number
}

export type ByteHold = {
  /** Returns false, and takes nothing, where there is no room or the hold was cut. */
  take(bytes: number): boolean
  /** Protects the hold: it is not cut from here on. Without effect on a hold that was cut. */
  keep(): void
  /** Releases all bytes of the hold. */
  give(): void
}

type Hold = { readonly owner: string; readonly cut: () => void; bytes: number }
type Owner = {
  bytes: number
  holds: number
  /** The holds that may be cut, oldest first. */
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

  /** Returns the newest hold that may be cut of the owner with the most bytes, if that owner holds more than `bytes`. */
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
