import { once } from 'node:events'

/**
 * The place of a command's user, who may be in another process: beside a running server, that server does the command.
 * A command uses it instead of `process`.
 */
export interface Terminal {
  /**
   * Writes the command's result to standard output, and waits until there is room for more. What others wrote is spelt
   * by `spellControls` before. @throws as `print`
   */
  write(text: string): Promise<void>
  /** Prints a line to standard error, spelt by `spellControls`. @throws when the user has gone */
  print(message: string): void
  /** Shows how far the command is, in place of what was shown before; only on a screen. @throws as `print` */
  progress(text: string): void
  /** The path of a file that the user names: a relative one begins in their folder. */
  path(name: string): string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether a server does the command, whose other clients wait while it keeps the database for itself. */
  readonly isInServer: boolean
}

const COMMANDING = /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu
const escapeCode = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
/**
 * A text with what would command a terminal, or turn the direction of its text, spelt out: `\u001b`. JSON still means
 * the same.
 */
export const spellControls = (text: string): string => text.replaceAll(COMMANDING, escapeCode)

interface TerminalOptions extends Pick<Terminal, 'env' | 'isInServer' | 'path' | 'write'> {
  /** Writes to standard error. */
  writeError(text: string): void
  /** Whether standard error is a screen, on which a line can be written again. */
  hasScreen: boolean
  /** Throws when the user has gone. */
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

/** The terminal of this process. */
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

/** Writes to standard output, and waits until it takes more. */
export async function writeOut(text: string): Promise<void> {
  const isFull = process.stdout.write(text) === false
  if (isFull) await once(process.stdout, 'drain')
}
