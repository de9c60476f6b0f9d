import type { Static, TObject } from 'typebox'
import type { Scope } from '../../core/db/tables.ts'
import { contract, point } from '../../core/plugin.ts'

/** REST as the calling agent, in the same process: every rule and scope is checked there, once. */
export interface ToolCall {
  /** @throws RestError with the answer's message when it is not 2xx */
  rest<T> (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T>
  /** The validly named knowledge session of this call, if any. */
  session: string | undefined
}

/** An MCP tool; it stands in `tools.ts` of the plugin whose capability it is. */
export interface Tool<I extends TObject = TObject> {
  name: string
  /** When to use it, and what comes back. */
  description: string
  input: I
  /** A token without it does not see the tool. */
  scope: Scope
  hints: { readOnly: boolean, destructive: boolean, idempotent: boolean }
  handle (args: Static<I>, call: ToolCall): Promise<object>
}
/** Checks a tool's handler against its input schema. */
export const tool = <I extends TObject>(spec: Tool<I>): Tool => spec as unknown as Tool

export const mcp = contract()('mcp')
/** Contribute tools here; whether the mcp plugin is on is no concern of the one who does. */
export const mcpTools = point<Tool>('mcp.tools')
