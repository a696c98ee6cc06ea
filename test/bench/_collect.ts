// Loaded into the processes of a bench by `node --expose-gc --import`: SIGUSR2 collects, so that their heap tells what they hold.
declare const gc: undefined | (() => void)

process.on('SIGUSR2', () => gc?.())
