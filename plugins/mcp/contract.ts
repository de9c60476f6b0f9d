import type { Static, TObject } from 'typebox'
import { contract, point, type Scope } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'

/** Which tools `/v1/mcp?tools=` lists: all of them, or the few that working a task off takes. */
export const TOOLSETS = ['all', 'core'] as const
export type Toolset = (typeof TOOLSETS)[number]

/**
 * What a tool's handler works with: REST as the calling agent, in the same process. Every rule and scope is checked
 * there, once.
 */
export interface ToolCall {
  /** The calling account. */
  me: Id
  /** The validly named knowledge session of this call, if any; `rest` sends it along. */
  session: string | undefined
  /** @throws RestError when the answer is not 2xx */
  rest<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T>
}

/** The body of an error answer of REST, as far as tools need it. */
export interface RestErrorBody {
  code: string
  message: string
  /** The path of the field that was refused, if it was one. */
  field?: string
}
/** What REST answered instead of a success. The agent gets its message. */
export class RestError extends Error {
  readonly statusCode: number
  readonly code: string
  readonly field: string | undefined
  constructor(statusCode: number, { code, message, field }: RestErrorBody) {
    super(message)
    this.statusCode = statusCode
    this.code = code
    this.field = field
  }
}

/** A mistake in the arguments; the message says how to correct it. */
export class ToolError extends Error {}

/** How the values of an argument are read, beside what its type says; stands in its schema, and is not listed. */
export interface Reading {
  /** `task`: a key or an id; `person`: the name of an account; `name`: any other; `markdown`: prose; `criterion`. */
  reads?: 'task' | 'person' | 'name' | 'markdown' | 'criterion'
  /** Other names of the argument, which mean nothing else in the tool. */
  aliases?: readonly string[]
  /** Null and an empty text are `none`, which clears it, where they were not sent for want of another value. */
  clearable?: true
  /** Of an enumeration: a number stands for the word in its place. */
  numbered?: true
}

/** An MCP tool; it stands in `tools.ts` of the plugin whose capability it is. */
export interface Tool<I extends TObject = TObject> {
  name: string
  /** When to use it, and what comes back. */
  description: string
  /**
   * A closed object, whose arguments may have a `Reading`. Clients are shown what all of them accept of it.
   * A result's nulls and empty lists are dropped, so what is absent is none; its times are minutes.
   */
  input: I
  /** A token without it does not see the tool. */
  scope: Scope
  hints: { readOnly: boolean; destructive: boolean; idempotent: boolean }
  /**
   * Makes it one of the few tools that `/v1/mcp?tools=core` lists. That list omits these arguments, which still work.
   */
  core?: { omits: readonly string[] }
  /**
   * Its request begins while the caller's token is looked up. Only for tools that read, by a route that reads ahead
   * (`config.readAhead`): with 16 clients, `get_task` takes .85 of the time (`npm run bench:mcp`).
   */
  readsAhead?: true
  /** The list in the result that is the answer itself: it is there even when it is empty. */
  listField?: string
  /** Arguments by the names of their fields in REST, where these differ, so that REST's errors name the argument. */
  restNames?: Readonly<Record<string, string>>
  /** @throws RestError, ToolError: the agent gets their message */
  handle(args: Static<I>, call: ToolCall): Promise<object>
}
/** Checks a tool's handler against its input schema. */
export const tool = <I extends TObject>(spec: Tool<I>): Tool => spec as unknown as Tool

/** One sentence of the rules that an agent reads when it connects. */
export interface Instruction {
  /** Where it stands in a working day. */
  at: 'start' | 'work' | 'end'
  /** Left out for a token without it. */
  scope: Scope
  sentence: string
}

export const mcp = contract()('mcp')
/** Tools are contributed here, whether the plugin mcp is on or not. */
export const mcpTools = point<Tool>()(mcp, 'tools')
export const mcpInstructions = point<Instruction>()(mcp, 'instructions')
