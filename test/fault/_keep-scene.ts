// Keeps one cluster for several scenarios as long as all of them succeed. A scenario that fails ends its cluster with everything it had
// frozen, killed or cut off, and the next one gets a new cluster. So one failure does not cause others.

import type { SceneDatabase } from './_database.ts'
import { openScene, type Scene, type SceneOptions } from './_scene.ts'
import type { Result } from './_under.ts'

export type KeptScene<Database extends SceneDatabase> = {
  /** Runs a scenario. An error or a timeout of the scenario is one of its faults. Throws only if a cluster does not start. */
  run<Own extends SceneDatabase = Database>(
    scenario: (scene: Scene<Own>) => Promise<Result>,
    options?: SceneOptions<Own>,
    /** For a control: if it finds this fault, the next scenario keeps the cluster. */
    expected?: RegExp,
  ): Promise<Result>
  stop(): Promise<void>
}

// Only a scenario that hangs reaches this limit.
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
      // Scenarios without options use the usual database.
      const options = (given ?? usual) as SceneOptions<Own>
      if (options !== openedOn) await stop()
      openedOn = options
      scene ??= await openScene(options)
      // The database of these options exists already or was opened just now.
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
