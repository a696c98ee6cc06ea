// The beginning of a command line whose process is killed when this one ends, for whatever reason. Empty where there is no setpriv.
import { spawnSync } from 'node:child_process'

export const leash: readonly string[] =
  spawnSync('setpriv', ['--version']).status === 0 ? ['setpriv', '--pdeathsig=KILL'] : []
