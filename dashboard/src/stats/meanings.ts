// What the sums of costs and errors count, for the words that explain them.

export const costMeaning =
  'The cost of model calls. Costs that tools report are not in this sum: findings, rules and savings count them.'

export const ownErrorsMeaning =
  'Failures among the events of this agent itself. A trace that it began may fail in the events of another agent that it called.'

export const traceErrorsMeaning = 'Failures in the whole trace, whichever agent they happened in.'
