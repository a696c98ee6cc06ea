// Processes of a cluster are killed and frozen under load: nothing is lost, nothing is stored twice, quotas are exact. `cluster-upgrade`
// ends an actor and a front by SIGTERM; `npm run soak -- --only end,roll` measures the hand-over and replaces all parts.
import { declareScenarios } from './_declare.ts'
import { freezeOwner, freezeShortly, killFront, killOwner, raceForQuota } from './_process-scenarios.ts'

declareScenarios({
  // First, while no partition has moved.
  'an owner that is frozen for two seconds keeps what it has': freezeShortly,
  'kill -9 of an owner: others take over, and clients do not notice': killOwner,
  'an owner that is frozen until others took over answers nothing of what waited in it': freezeOwner,
  'kill -9 of a front, and each batch sent to two at once: stored once all the same': killFront,
  'many senders race for the last of a quota while its owner is killed: it is used up exactly': raceForQuota,
})
