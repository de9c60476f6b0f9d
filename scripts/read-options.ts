import { parseArgs, type ParseArgsConfig } from 'node:util'

/**
 * Like `parseArgs`, for scripts: `--help` prints the usage and ends the process, and so does a wrong argument, with the
 * reason.
 */
export function readOptions<T extends ParseArgsConfig>(usage: string, config: T): ReturnType<typeof parseArgs<T>> {
  if (process.argv.includes('--help')) {
    process.stdout.write(`${usage}\n`)
    process.exit()
  }
  try {
    return parseArgs(config)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}\n`)
    process.exit(1)
  }
}
