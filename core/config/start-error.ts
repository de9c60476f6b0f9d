/** All problems that keep the server from starting. */
export class StartError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The server cannot start:\n${problems.map(p => `  - ${p}`).join('\n')}`)
    this.problems = problems
  }
}
