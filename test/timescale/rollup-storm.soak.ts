// The same tests on hypertables.
import { useTimescale } from '../_kit/db.ts'
import '../rollups/storm.test.ts'

useTimescale()
