// The same tests on hypertables.
import { useTimescale } from '../_kit/db.ts'
import '../workspaces/purge.test.ts'

useTimescale()
