// The same tests on hypertables.
import { useTimescale } from '../_kit/db.ts'
import '../ingest/plan.test.ts'

useTimescale()
