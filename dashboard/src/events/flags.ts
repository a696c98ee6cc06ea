/** Flags as people read them: `usage_adjusted` is "usage adjusted". */
export const nameFlags = (flags: readonly string[]): string[] => flags.map((flag) => flag.replaceAll('_', ' '))
