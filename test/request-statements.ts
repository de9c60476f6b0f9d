import { AsyncLocalStorage } from 'node:async_hooks'

/** Tells which statements each request sends to the database, however many requests and jobs run at once. */
export function requestStatements() {
  const current = new AsyncLocalStorage<string[]>()
  return {
    onStatement(statement: string): void {
      current.getStore()?.push(statement)
    },
    /** @returns the answer, and the statements that `send` has led to so far */
    async record<T>(send: () => Promise<T>): Promise<{ answer: T; statements: string[] }> {
      const statements: string[] = []
      return { answer: await current.run(statements, send), statements }
    }
  }
}
