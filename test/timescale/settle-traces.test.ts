// The same tests on hypertables.
import { useTimescale } from '../_kit/db.ts'
import '../ingest/settle-traces.test.ts'

useTimescale()
