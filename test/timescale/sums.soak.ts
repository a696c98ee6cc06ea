// The same tests on hypertables.
import { useTimescale } from '../_kit/db.ts'
import '../ingest/sums.test.ts'

useTimescale()
