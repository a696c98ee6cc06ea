// Floor 3. What is measured of a decision.
import type { DecisionRow } from './decision-shape.ts'

/** The columns that show it. */
export type Measures = Pick<
  DecisionRow,
  'shadow_samples' | 'shadow_match_rate' | 'cost_delta_usd' | 'latency_delta_ms' | 'quality_delta' | 'score'
>
