// SDK. When results of tools were last invalidated in this process.
import { longAgo, type Moment, newest } from './moment.ts'

export type InvalidationMarks = {
  /** `hash`: of the input or the scope whose results are invalidated; null: all results of the tool. */
  readonly add: (tool: string, hash: string | null, now: Moment) => void
  /** Returns the last invalidation of the results with this hash. */
  readonly last: (tool: string, hash: string) => Moment
}

// An application may invalidate as many inputs as it likes.
const maxMarks = 10_000

/**
 * Keeps up to 10,000 marks of hashes and as many of tools. Beyond that, the oldest mark of a hash becomes one of its tool, and the oldest
 * mark of a tool one of all tools. So no invalidation is forgotten; results of other inputs from before it are refused too.
 */
export function makeInvalidationMarks(): InvalidationMarks {
  const ofHashes = new Map<string, { readonly tool: string; readonly at: Moment }>()
  const ofTools = new Map<string, Moment>()
  let ofAll = longAgo

  function addForTool(tool: string, at: Moment): void {
    const mark = newest(ofTools.get(tool) ?? longAgo, at)
    ofTools.delete(tool)
    ofTools.set(tool, mark)
    const [oldest] = ofTools
    if (ofTools.size <= maxMarks || oldest === undefined) return
    ofTools.delete(oldest[0])
    ofAll = newest(ofAll, oldest[1])
  }

  function addForHash(tool: string, hash: string, at: Moment): void {
    ofHashes.delete(hash)
    ofHashes.set(hash, { tool, at })
    const [oldest] = ofHashes
    if (ofHashes.size <= maxMarks || oldest === undefined) return
    ofHashes.delete(oldest[0])
    addForTool(oldest[1].tool, oldest[1].at)
  }

  return {
    add(tool, hash, now) {
      if (hash === null) addForTool(tool, now)
      else addForHash(tool, hash, now)
    },
    last: (tool, hash) => newest(newest(ofAll, ofTools.get(tool) ?? longAgo), ofHashes.get(hash)?.at ?? longAgo),
  }
}
