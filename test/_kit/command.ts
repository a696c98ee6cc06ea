// What the commands of the tests' folders share: faults that are printed as one line, and the check of options.

/** An error that a command prints without a stack. */
export class CommandFault extends Error {
  override readonly name = 'CommandFault'
}

/** Returns what `parse` reads of the options. Throws a CommandFault with the reason and the usage if they are wrong. */
export function orUsage<Values>(parse: () => Values, usage: string): Values {
  try {
    return parse()
  } catch (error) {
    throw new CommandFault(`${(error as Error).message}\n\n${usage}`)
  }
}

/** Returns the value of an option. Throws a CommandFault unless it is a whole number within the bounds. */
export function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new CommandFault(`--${name} must be a whole number from ${min} to ${max}, not "${text}".`)
}

/** Runs a command; prints a CommandFault, and what `explain` finds out about another error, as one line. Throws what it cannot explain. */
export async function runCommand(
  run: () => Promise<void>,
  explain: (error: unknown) => string | null = () => null,
): Promise<void> {
  try {
    await run()
  } catch (error) {
    const text = error instanceof CommandFault ? error.message : explain(error)
    if (text === null) throw error
    process.stderr.write(`${text}\n`)
    process.exitCode = 1
  }
}
