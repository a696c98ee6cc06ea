// Where an interval lies against the mark that it is compared with.

export type Interval = { readonly lower: number; readonly upper: number }
export type Side = 'above' | 'below' | 'across'

export const compareInterval = ({ lower, upper }: Interval, mark: number): Side => {
  if (lower >= mark && upper > mark) return 'above'
  return upper <= mark && lower < mark ? 'below' : 'across'
}

export type Scale = { readonly least: number; readonly most: number }

/** Shares up to 1, of which the part around the floor is shown: an interval that begins further down is cut off there. */
export const scaleAround = (floor: number): Scale => ({ least: Math.max(0, 1 - 4 * (1 - floor)), most: 1 })

/** Differences: zero in the middle, and room on both sides. */
export function scaleAroundZero({ lower, upper }: Interval): Scale {
  const reach = Math.max(Math.abs(lower), Math.abs(upper)) * 1.2 || 1
  return { least: -reach, most: reach }
}
