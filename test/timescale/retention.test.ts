// The same tests on hypertables.
import { useTimescale } from '../_kit/db.ts'
import '../retention/retention.test.ts'

useTimescale()
