// One cluster for several scenarios, for as long as all of them succeed: a scenario that fails takes its cluster along, with whatever it
// had frozen, killed or cut off, and the next one gets a new one. So one failure stays one failure.

import type { SceneDatabase } from './_database.ts'
import { openScene, type Scene, type SceneOptions } from './_scene.ts'
import type { Result } from './_under.ts'

export type KeptScene<Database extends SceneDatabase> = {
  /** What a scenario throws is one of its faults; so is that it does not end. Never throws for another reason than a cluster that does not start. */
  run(scenario: (scene: Scene<Database>) => Promise<Result>, options?: SceneOptions<Database>): Promise<Result>
  stop(): Promise<void>
}

// Reached by a scenario that hangs, and by no other.
export const scenarioDeadlineMs = 120_000

export function keepScene<Database extends SceneDatabase>(usual: SceneOptions<Database> = {}): KeptScene<Database> {
  let scene: Scene<Database> | null = null
  let openedOn: SceneOptions<Database> | undefined

  async function stop(): Promise<void> {
    const ended = scene
    scene = null
    await ended?.stop()
  }

  return {
    async run(scenario, options = usual) {
      if (options !== openedOn) await stop()
      openedOn = options
      scene ??= await openScene(options)
      const result = await attempt(scenario, scene)
      if (result.faults.length > 0) await stop()
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
