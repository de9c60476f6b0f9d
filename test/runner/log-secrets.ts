import { pino, type Logger } from 'pino'
import { isWellFormedToken } from '../../core/auth/tokens.ts'

/** Lines of a log that contain a token, a refresh token or a code of OAuth, which have the same form. */
export const linesWithTokens = (text: string): string[] =>
  text.split('\n').filter(line => line.startsWith('{') && line.match(/trk_\w+/g)?.some(isWellFormedToken))

/** A logger for a test server; `assertNoTokens` throws if a line had a token. */
export function watchedLogger(onLine?: (line: string) => void): { logger: Logger; assertNoTokens(): void } {
  const wrong: string[] = []
  const write = (line: string) => {
    wrong.push(...linesWithTokens(line))
    onLine?.(line)
  }
  return {
    logger: pino({ level: process.env['TEST_LOG'] ?? 'info' }, { write }),
    assertNoTokens() {
      if (wrong.length > 0) throw new Error(`The log has tokens: ${wrong.join('')}`)
    }
  }
}
