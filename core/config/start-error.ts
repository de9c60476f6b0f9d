/** All problems that keep the server from starting. */
export class StartError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The server cannot start:\n${problems.map(p => `  - ${p}`).join('\n')}`)
    this.problems = problems
  }
}

/** The message of an error; of a defect in code, which gives no advice in it, the stack. */
export function explain(error: Error): string {
  const isDefect = [TypeError, ReferenceError, SyntaxError].some(type => error instanceof type)
  return isDefect ? (error.stack ?? error.message) : error.message
}
