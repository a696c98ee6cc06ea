// The dialect of Weave, by Weights & Biases.
import type { Dialect } from '../merge/definition.ts'

export const weave: Dialect = {
  name: 'weave',
  marks: { attributes: ['wandb.thread_id', 'wandb.is_turn'] },
  late: { session: ['wandb.thread_id'] },
}
