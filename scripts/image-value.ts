/*
 * Prints a part of an image's configuration, out of what `buildah inspect` prints, as words for a shell:
 * scripts/image.sh.
 */
import { text } from 'node:stream/consumers'
import { shellQuoted } from '../lib/util/shell-quoted.ts'

interface Inspected {
  Docker: {
    config: { User: string; Env: string[]; Entrypoint: string[]; Cmd: string[]; Healthcheck: { Test: string[] } }
  }
}

const { config } = (JSON.parse(await text(process.stdin)) as Inspected).Docker
const quoted = (words: readonly string[]) => words.map(shellQuoted).join(' ')
const values: Record<string, () => string> = {
  user: () => config.User,
  env: () => quoted(config.Env),
  command: () => quoted([...config.Entrypoint, ...config.Cmd]),
  // CMD, bash, -c, and the script.
  health: () => config.Healthcheck.Test.at(-1)!
}
process.stdout.write(values[process.argv[2] ?? '']!())
