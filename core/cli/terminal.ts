import { once } from 'node:events'
import { spellControls } from '../../lib/util/spell-controls.ts'

/**
 * The terminal of a command's user, to be used instead of `process`: while a server has the database open, the command
 * runs in the server, and its user is in another process.
 */
export interface Terminal {
  /**
   * Writes the command's result to standard output, and waits for its reader. Spell others' text with `spellControls`
   * first.
   * @throws as `print`
   */
  write(text: string): Promise<void>
  /** Prints a line to standard error, spelt by `spellControls`. @throws when the user's process has ended */
  print(message: string): void
  /** Replaces the former progress line; only in a terminal. @throws as `print` */
  progress(text: string): void
  /** Resolves a path that the user named in their working directory. */
  path(name: string): string
  readonly env: Readonly<Record<string, string | undefined>>
  /** True if the command runs in a server, whose other clients wait while it holds the database. */
  readonly isInServer: boolean
}

interface TerminalOptions extends Pick<Terminal, 'env' | 'isInServer' | 'path' | 'write'> {
  writeError(text: string): void
  /** True if standard error is a terminal, where a line can be replaced. */
  hasScreen: boolean
  assertThere(): void
}

export function makeTerminal({ write, writeError, hasScreen, assertThere, ...rest }: TerminalOptions): Terminal {
  let isShowing = false
  return {
    ...rest,
    async write(text) {
      assertThere()
      await write(text)
    },
    print(message) {
      assertThere()
      writeError(`${isShowing ? '\n' : ''}${spellControls(message)}\n`)
      isShowing = false
    },
    progress(text) {
      assertThere()
      if (!hasScreen) return
      writeError(`\r${spellControls(text)}\x1b[K`)
      isShowing = true
    }
  }
}

export const processTerminal = (): Terminal =>
  makeTerminal({
    write: writeOut,
    writeError(text) {
      process.stderr.write(text)
    },
    path: name => name,
    hasScreen: process.stderr.isTTY,
    env: process.env,
    isInServer: false,
    assertThere() {}
  })

let outputError: Error | undefined
const onOutputError = (error: Error): void => {
  outputError = error
}

/** Writes to standard output, and waits until it accepts more. @throws Error when its reader has gone */
export async function writeOut(text: string): Promise<void> {
  const { stdout } = process
  if (outputError) throw new Error('The output of the command is no longer read.', { cause: outputError })
  // Without a listener the error would end the process, and leave the database open.
  if (!stdout.listeners('error').includes(onOutputError)) stdout.on('error', onOutputError)
  const isFull = stdout.write(text) === false
  if (isFull) await once(stdout, 'drain').catch(onOutputError)
}
