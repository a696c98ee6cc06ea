// One cluster for several scenarios, for as long as all of them succeed: a scenario that fails takes its cluster along, with whatever it
// had frozen, killed or cut off, and the next one gets a new one. So one failure stays one failure.

import type { SceneDatabase } from './_database.ts'
import { openScene, type Scene, type SceneOptions } from './_scene.ts'
import type { Result } from './_under.ts'

export type KeptScene<Database extends SceneDatabase> = {
  /** What a scenario throws is one of its faults; so is that it does not end. Never throws for another reason than a cluster that does not start. */
  run<Own extends SceneDatabase = Database>(
    scenario: (scene: Scene<Own>) => Promise<Result>,
    options?: SceneOptions<Own>,
    /** Of a control: one that finds this fault leaves its cluster to the next one. */
    expected?: RegExp,
  ): Promise<Result>
  stop(): Promise<void>
}

// Reached by a scenario that hangs, and by no other.
export const scenarioDeadlineMs = 240_000

export function keepScene<Database extends SceneDatabase>(usual: SceneOptions<Database> = {}): KeptScene<Database> {
  let scene: Scene | null = null
  let openedOn: unknown

  async function stop(): Promise<void> {
    const ended = scene
    scene = null
    await ended?.stop()
  }

  return {
    async run<Own extends SceneDatabase>(
      scenario: (scene: Scene<Own>) => Promise<Result>,
      given?: SceneOptions<Own>,
      expected?: RegExp,
    ): Promise<Result> {
      // Without options of their own, scenarios take the usual database.
      const options = (given ?? usual) as SceneOptions<Own>
      if (options !== openedOn) await stop()
      openedOn = options
      scene ??= await openScene(options)
      // What these options open is there from the last time, or now.
      const result = await attempt(scenario, scene as Scene<Own>)
      const isAsExpected = expected !== undefined && result.faults.some((fault) => expected.test(fault))
      if (result.faults.length > 0 && !isAsExpected) await stop()
      return result
    },
    stop,
  }
}

async function attempt<Database extends SceneDatabase>(
  scenario: (scene: Scene<Database>) => Promise<Result>,
  scene: Scene<Database>,
): Promise<Result> {
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => deadline.reject(new Error(`the scenario did not end within ${scenarioDeadlineMs} ms`)),
    scenarioDeadlineMs,
  )
  try {
    return await Promise.race([scenario(scene), deadline.promise])
  } catch (error) {
    return { faults: [(error as Error).stack ?? String(error)], figures: {} }
  } finally {
    clearTimeout(timer)
  }
}
