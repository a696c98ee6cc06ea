// The same tests on hypertables.
import { useTimescale } from '../_kit/db.ts'
import '../rollups/rebuild.test.ts'

useTimescale()
