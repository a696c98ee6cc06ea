// The side of a mark on which an interval lies, and the scales on which both are drawn.

export type Interval = { readonly lower: number; readonly upper: number }
export type Side = 'above' | 'below' | 'across'

export const compareInterval = ({ lower, upper }: Interval, mark: number): Side => {
  if (lower >= mark && upper > mark) return 'above'
  return upper <= mark && lower < mark ? 'below' : 'across'
}

export type Scale = { readonly least: number; readonly most: number }

/** Returns a scale for shares that shows the part around the floor, up to 1. An interval that begins below the scale is cut off. */
export const scaleAround = (floor: number): Scale => ({ least: Math.max(0, 1 - 4 * (1 - floor)), most: 1 })

/** Returns a scale for differences, with zero in the middle and room on both sides. */
export function scaleAroundZero({ lower, upper }: Interval): Scale {
  const reach = Math.max(Math.abs(lower), Math.abs(upper)) * 1.2 || 1
  return { least: -reach, most: reach }
}
