// The version of a workspace's rules as text: "<mark>.<n>". Only the whole text says which rules they are.

/** The number of writes. In two histories of a database other rules may have the same one. */
export const countWrites = (version: string): number => Number(version.slice(version.lastIndexOf('.') + 1))
