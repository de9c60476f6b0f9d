import { defineCommand, EXIT_PARTIAL } from '../api/command.ts'
import { wrong, type Command, type Examination, type Finding } from '../api/points.ts'
import { spellControls } from '../../lib/util/spell-controls.ts'

/** An examination that takes longer than this has found a fault. */
const TIMEOUT_MS = 15_000

/** `doctor`: looks at the deployment, and says what is wrong with it. */
export const doctorCommand = (examinations: () => readonly Examination[]): Command =>
  defineCommand({
    name: 'doctor',
    summary: 'Look at the database, disks, clock, addresses and services, and say what is wrong and what to do',
    details: `One line for each finding, tab-separated. The exit code is ${EXIT_PARTIAL} when something is wrong.`,
    database: 'existing',
    async run(_, terminal) {
      let faults = 0
      for (const { part, examine } of examinations()) {
        for (const { isWell, says } of await findingsOf(examine)) {
          if (!isWell) faults++
          await terminal.write(`${isWell ? 'well' : 'wrong'}\t${part}\t${spellControls(says)}\n`)
        }
      }
      terminal.print(
        faults === 0 ? 'Nothing is wrong.' : `${faults} ${faults === 1 ? 'thing is' : 'things are'} wrong.`
      )
      return faults === 0 ? 0 : EXIT_PARTIAL
    }
  })

async function findingsOf(examine: Examination['examine']): Promise<readonly Finding[]> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`There is no answer for ${TIMEOUT_MS / 1000} seconds.`)), TIMEOUT_MS)
  try {
    return await Promise.race([examine(), late])
  } catch (error) {
    return [wrong(error instanceof Error ? error.message : String(error))]
  } finally {
    clearTimeout(timer)
  }
}
