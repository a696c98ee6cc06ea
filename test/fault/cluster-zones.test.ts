// A cluster in two zones that cannot reach each other; the control is one of its fronts, without the mechanism.
import { declareScenarios } from './_declare.ts'
import { revokeBeyondSplit, zones } from './_zones-scenario.ts'

declareScenarios(
  { 'a key that is revoked in one zone is taken in the other for no more than a second': revokeBeyondSplit },
  zones,
)
