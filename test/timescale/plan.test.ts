// The same tests on hypertables.
import { useTimescale } from '../_kit/db.ts'
import '../queries/plan.test.ts'
import '../sql/promises.test.ts'

useTimescale()
