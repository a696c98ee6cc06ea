/** Returns flags as words: `usage_adjusted` becomes "usage adjusted". */
export const nameFlags = (flags: readonly string[]): string[] => flags.map((flag) => flag.replaceAll('_', ' '))
