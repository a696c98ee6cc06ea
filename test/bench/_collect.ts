// Loaded into the processes of a bench by `node --expose-gc --import`: SIGUSR2 runs a garbage collection, so that the heap size shows live
// objects only.
declare const gc: undefined | (() => void)

process.on('SIGUSR2', () => gc?.())
