/*
 * `npm run audit`: the advisories about the installed packages (`npm audit`) that .ci/audit-exceptions.json does not
 * except until a date. Exit code 1: there are some, or an exception is no longer needed or is over. Exit code 3: the
 * registry does not answer such questions, so that nothing was examined.
 */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'

const NOT_ANSWERED = 3
const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** An advisory that does not concern tracker, by its id, such as GHSA-xxxx-xxxx-xxxx. */
export type Exceptions = Readonly<Record<string, { until: string; because: string }>>

interface Advisory {
  url: string
  title: string
  severity: string
}
/** The output of `npm audit --json`: advisories, and names of packages that are affected through another one. */
export interface Audit {
  vulnerabilities?: Record<string, { via: Array<Advisory | string> }>
  message?: string
}

/** Sentences about advisories without an exception, and exceptions without an advisory. @param today as 2026-03-01 */
export function problemsOf(
  vulnerabilities: NonNullable<Audit['vulnerabilities']>,
  exceptions: Exceptions,
  today: string
) {
  const advisories = new Map<string, string>()
  for (const [name, { via }] of Object.entries(vulnerabilities)) {
    for (const advisory of via) {
      if (typeof advisory === 'string') continue
      const id = advisory.url.slice(advisory.url.lastIndexOf('/') + 1)
      advisories.set(id, `${name}: ${advisory.title} (${advisory.severity}, ${advisory.url})`)
    }
  }
  const isExcepted = (id: string) => (exceptions[id]?.until ?? '') >= today
  return [
    ...[...advisories].filter(([id]) => !isExcepted(id)).map(([, sentence]) => sentence),
    ...Object.keys(exceptions)
      .filter(id => !advisories.has(id))
      .map(id => `The exception ${id} is no longer needed: remove it from .ci/audit-exceptions.json.`)
  ]
}

async function main(): Promise<void> {
  const file = new URL('../.ci/audit-exceptions.json', import.meta.url)
  const exceptions = JSON.parse(await readFile(file, 'utf8')) as Exceptions
  // npm ends with 1 when there are advisories, and prints JSON in any case.
  const output = await new Promise<string>(resolve =>
    execFile('npm', ['audit', '--json'], { maxBuffer: MAX_ANSWER_BYTES }, (_error, stdout) => resolve(stdout))
  )
  const { vulnerabilities, message } = JSON.parse(output) as Audit
  if (vulnerabilities === undefined) {
    console.error(`NOT EXAMINED: the registry has not answered npm audit (${message ?? output.slice(0, 200)}).`)
    process.exitCode = NOT_ANSWERED
    return
  }
  const problems = problemsOf(vulnerabilities, exceptions, new Date().toISOString().slice(0, 10))
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
  else console.log('No advisory concerns the installed packages, but those that are excepted.')
}

if (import.meta.main) await main()
