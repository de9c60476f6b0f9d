import type { Static, TObject, TSchema } from 'typebox'
import { contract, point, type Scope } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'

/** The tools that `/v1/mcp?tools=` lists: all, or the few for working on a task. */
export const TOOLSETS = ['all', 'core'] as const
export type Toolset = (typeof TOOLSETS)[number]

/** REST as the calling agent, in the same process. Every rule and scope is checked there, once. */
export interface ToolCall {
  me: Id
  /** The session of this call, if it has a valid name; `rest` sends it. */
  session: string | undefined
  /**
   * @param body sent as JSON, unless it is a `RawBody`
   * @throws RestError when the answer is not 2xx
   */
  rest<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T>
}

export class RawBody {
  readonly bytes: Uint8Array
  readonly headers: Readonly<Record<string, string>>
  constructor(bytes: Uint8Array, headers: Readonly<Record<string, string>>) {
    this.bytes = bytes
    this.headers = headers
  }
}

export interface RestErrorBody {
  code: string
  message: string
  /** The path of the refused field. */
  field?: string
}
/** An error answer of REST. The agent gets its message. */
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

/** A result beside which the agent sees an image. */
export class ImageResult {
  readonly result: object
  readonly data: string
  readonly mimeType: string
  constructor(result: object, data: string, mimeType: string) {
    this.result = result
    this.data = data
    this.mimeType = mimeType
  }
}

export class ToolError extends Error {}

/** Conversions of an argument's values beside its type; part of its schema, but not listed. */
export interface Reading {
  /**
   * `task`: a key or an id; `person`: the name of an account; `name`: any other; `markdown`: prose; `criterion`;
   * `relation`: its type and a task.
   */
  reads?: 'task' | 'person' | 'name' | 'markdown' | 'criterion' | 'relation'
  /** Other names of the argument, unambiguous in the tool. */
  aliases?: readonly string[]
  /** Null and an empty text become `none`, which clears it, unless the client sends every argument in any case. */
  clearable?: true
  /** Advice for a client that sends a list, where the argument takes one value. */
  instead?: string
  /** For an enumeration: a number selects the word by position. */
  numbered?: true
}

export interface Tool<I extends TObject = TObject> {
  name: string
  description: string
  /**
   * A closed object, whose arguments may have a `Reading`. Clients are shown the parts that all of them accept. Nulls
   * and empty lists of a result are dropped; its times have minutes.
   */
  input: I
  /** Tokens without it do not see the tool. */
  scope: Scope
  hints: { readOnly: boolean; destructive: boolean; idempotent: boolean }
  /**
   * Set for the few tools that `/v1/mcp?tools=core` lists, without these arguments, which still work; `requires` are
   * listed as required, because only an omitted one makes them optional.
   */
  core?: { omits: readonly string[]; requires?: readonly string[] }
  /** Arguments that work but are not listed: listed ones do the same. */
  unlisted?: readonly string[]
  /**
   * Begins its request while the caller's token is looked up. Only for tools that read, by a route that reads ahead
   * (`config.readAhead`): with 16 clients, `get_task` takes .85 of the time (`npm run bench:mcp`).
   */
  readsAhead?: true
  /** The main list of the result, which is present even when it is empty. */
  listField?: string
  /** Arguments by REST field, where these differ, so that REST's errors name the argument. */
  restNames?: Readonly<Record<string, string>>
  /**
   * @returns the fields of the result, or an `ImageResult`
   * @throws RestError, ToolError: the agent gets their message
   */
  handle(args: Static<I>, call: ToolCall): Promise<object>
}
/** Checks the types of a tool's handler against its input schema. */
export const tool = <I extends TObject>(spec: Tool<I>): Tool => spec as unknown as Tool

/** The `total` of a list of the best `limit` matches: the others are not counted. */
export const totalOfBest = (shown: number, limit: number) => ({
  total: shown,
  ...(shown === limit && { totalIsExact: false })
})

/** Arguments that a plugin adds to the tool of another one; all of them optional, and not in the core list. */
export interface ToolArguments {
  tool: string
  properties: Readonly<Record<string, TSchema>>
  /** Before the tool's own handler. @throws RestError, ToolError: the call has failed */
  before(args: Record<string, unknown>, call: ToolCall): Promise<void>
}

/** A sentence of the rules that an agent reads when it connects. */
export interface Instruction {
  at: 'start' | 'work' | 'end'
  /** Left out for tokens without it. */
  scope: Scope
  sentence: string
}

export const mcp = contract()('mcp')
/** Tools for agents. They are contributed also while the plugin mcp is off. */
export const mcpTools = point<Tool>()(mcp, 'tools')
export const mcpToolArguments = point<ToolArguments>()(mcp, 'toolArguments')
export const mcpInstructions = point<Instruction>()(mcp, 'instructions')
