import { Type, type Static } from 'typebox'

export const ROUTE = { method: 'POST', path: '/commands' }

/** A command that the user's process sends to the server. */
export const commandRequest = Type.Object({
  /** The tracker version of the user's process. */
  version: Type.String(),
  /** `['workspaces', 'add', 'Research']` */
  args: Type.Array(Type.String()),
  folder: Type.String(),
  env: Type.Record(Type.String(), Type.String()),
  /** True if the user's standard error is a terminal. */
  hasScreen: Type.Boolean()
})
export type CommandRequest = Static<typeof commandRequest>

/** A line of the answer (JSON Lines); the last one is `exit` or `failure`. */
export type Frame = { out: string } | { err: string } | { exit: number } | { failure: string; cause?: string }
