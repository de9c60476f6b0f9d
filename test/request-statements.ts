import { AsyncLocalStorage } from 'node:async_hooks'

/** Records the statements of each request, with any number of concurrent requests and jobs. */
export function requestStatements() {
  const current = new AsyncLocalStorage<string[]>()
  return {
    onStatement(statement: string): void {
      current.getStore()?.push(statement)
    },
    /** True within `record`. */
    isRecorded: (): boolean => current.getStore() !== undefined,
    /** @returns the answer, and the statements of `send` so far */
    async record<T>(send: () => Promise<T>): Promise<{ answer: T; statements: string[] }> {
      const statements: string[] = []
      return { answer: await current.run(statements, send), statements }
    }
  }
}
