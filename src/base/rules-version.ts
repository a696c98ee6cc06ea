// The version of a workspace's rules as text: "<mark>.<n>". Only the whole text identifies the rules.

/** Returns the number of writes, <n>. Two histories of a database may have different rules with the same number. */
export const countWrites = (version: string): number => Number(version.slice(version.lastIndexOf('.') + 1))
