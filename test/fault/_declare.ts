// Declares scenarios as tests: they run one after another on one cluster, which is replaced after a failure.
import test from 'ava'
import type { SceneDatabase } from './_database.ts'
import { keepScene, scenarioDeadlineMs } from './_keep-scene.ts'
import type { Scene, SceneOptions } from './_scene.ts'
import type { Result } from './_under.ts'

/** Includes the time to start a cluster and to end one. */
export const testTimeoutMs = scenarioDeadlineMs + 100_000

/** Declares the scenarios by their titles, in this order. */
export function declareScenarios<Database extends SceneDatabase = SceneDatabase>(
  scenarios: Readonly<Record<string, (scene: Scene<Database>) => Promise<Result>>>,
  options: SceneOptions<Database> = {},
): void {
  const kept = keepScene<Database>(options)
  test.after.always(kept.stop)
  for (const [title, run] of Object.entries(scenarios))
    test.serial(title, async (t) => {
      t.timeout(testTimeoutMs)
      const { faults, figures } = await kept.run(run)
      t.log(JSON.stringify(figures))
      t.deepEqual(faults, [], faults.join('; '))
    })
}
