// One set of a part of a window, either stored or counted just now.

import type { SetsPart } from '../../rollups/read-sets.ts'
import type { CellKey } from '../../sketches/cell.ts'
import { readMembers } from '../../sketches/members-codec.ts'
import { listNumbers } from '../../sketches/number-set.ts'
import type { SetName } from '../../sketches/sets.ts'
import { eachSubset, openSets } from '../../sketches/sets-codec.ts'

/** The members of the set, and for each cell the indices of its own members. Sessions have one cell per agent. */
export type SetOfPart = {
  readonly hashes: readonly number[] | Float64Array
  /** Call it only once. The list of indices is valid until `take` returns. */
  readonly eachSubset: (take: (key: CellKey, places: readonly number[]) => void) => void
}

export function openSetOf(part: SetsPart, name: SetName): SetOfPart {
  return 'sets' in part ? openStored(part.sets, name) : openCounted(part, name)
}

function openStored(bytes: Uint8Array, name: SetName): SetOfPart {
  const { agents, cells, sections } = openSets(bytes)
  const section = sections[name]
  if (section === null) throw new Error('a set was read that is not there')
  const owners = name === 'sessions' ? agents.map(keyOfAgent) : cells
  const hashes = readMembers(section)
  return {
    hashes,
    eachSubset: (take) =>
      eachSubset(section, hashes.length, owners.length, (owner, places) => take(owners[owner]!, places)),
  }
}

function openCounted({ bucket: { cells, sets } }: Extract<SetsPart, { bucket: unknown }>, name: SetName): SetOfPart {
  const members = sets[name]
  if (typeof members === 'string') throw new Error('a set was read that is not there')
  const places: number[] = []
  return {
    hashes: members.hashes,
    eachSubset(take) {
      if (name === 'sessions') {
        for (const [agentId, subset] of cells.sessionMembers) {
          listNumbers(subset, places)
          take(keyOfAgent(agentId), places)
        }
        return
      }
      for (const cell of cells.list) {
        listNumbers(cell.members[name], places)
        take(cell, places)
      }
    },
  }
}

const keyOfAgent = (agentId: string): CellKey => ({ agentId, kind: 'other', model: null, tool: null })
