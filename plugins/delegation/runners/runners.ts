import type { Ctx } from '../context.ts'

export const DEFAULT_RUNNER = 'default'

type Settings = Pick<Ctx['settings'], 'runner' | 'runners'>
export type Runner = Settings['runners'][string]

interface RunnerCase {
  labels: readonly string[]
  /** The identifier and the name of the team. */
  team: readonly string[]
  /** The name of the account that requests the run. */
  requester: string
}

/** The runners by name, that of the setting `runner` first. */
export const runnersOf = ({ runner, runners }: Settings): ReadonlyMap<string, Runner> =>
  new Map([...(runner ? [[DEFAULT_RUNNER, runner] as const] : []), ...Object.entries(runners)])

const NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/

/** @throws a sentence about settings that contradict each other */
export function assertRunners({ runner, runners }: Settings): void {
  if (runner !== undefined && DEFAULT_RUNNER in runners) {
    throw new Error(
      `plugins.delegation.runner is the runner '${DEFAULT_RUNNER}', and so is one of plugins.delegation.runners: ` +
        'rename plugins.delegation.runners.default, or remove one of them.'
    )
  }
  const wrong = Object.keys(runners).find(name => !NAME.test(name))
  if (wrong !== undefined) {
    throw new Error(
      `plugins.delegation.runners: '${wrong}' is no name of a runner: use up to 40 lower-case letters, digits, - and _.`
    )
  }
}

const folded = (text: string) => text.normalize('NFC').toLowerCase()
const isAmong = (names: readonly string[], list: readonly string[]) =>
  names.some(name => list.some(other => folded(other) === folded(name)))

/** The number of conditions that hold; undefined if one does not. */
function matches({ labels, teams, agents }: Runner, of: RunnerCase): number | undefined {
  const conditions = [
    labels && isAmong(of.labels, labels),
    teams && isAmong(of.team, teams),
    agents && isAmong([of.requester], agents)
  ].filter(condition => condition !== undefined)
  return conditions.every(Boolean) ? conditions.length : undefined
}

/** Runners with most conditions come first, others as configured. */
export function matchingRunners(runners: ReadonlyMap<string, Runner>, of: RunnerCase): string[] {
  return [...runners]
    .flatMap(([name, runner]) => {
      const count = matches(runner, of)
      return count === undefined ? [] : [{ name, count }]
    })
    .toSorted((a, b) => b.count - a.count)
    .map(({ name }) => name)
}
