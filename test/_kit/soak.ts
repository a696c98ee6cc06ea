// `TEST_SOAK=1 npm test` runs the long forms of the tests, and also the files `*.soak.ts`. Most prove what the short forms prove, more often or
// at a larger size. Some expensive controls and variants exist only there; the case that they belong to also runs in the short form.

export const isSoak = process.env['TEST_SOAK'] === '1'

/** The seed of random tests: usually the same, so that no run fails by chance. The soak takes a new one, which is reported with a failure. */
export const seed = isSoak ? Math.floor(Math.random() * 2 ** 31) : 20_261_123

/** Returns the size or the number of repetitions for this run. */
export const inSoak = (usual: number, soak: number): number => (isSoak ? soak : usual)
