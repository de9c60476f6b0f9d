/** A tool as a client offers it to its model. */
export interface OfferedTool {
  name: string
  /** Some clients of OpenAI's Responses group tools; a call then names the group, too. */
  namespace?: string | undefined
  /** Only its name is known: the client wants it to be looked up first, with this other tool. */
  lookUpWith?: string
}

/** The id of the call that looks tools up, which is no part of a plan. */
export const LOOK_UP = 'lookup'

/** A client's request to its model, whatever the protocol. */
export interface Conversation {
  tools: OfferedTool[]
  /** The results of the model's calls so far, in their order. */
  results: string[]
  isStreamed: boolean
}

/** The model's answer: a call of a tool, or its last words. */
export type Reply = { call: OfferedTool; args: object; id: string } | { text: string }

/** The part of a model's API that the clients use. */
export interface Protocol {
  /** The path of the address that it answers, without host. */
  path: RegExp
  read(body: Json, path: string): Conversation
  /** The answer as a document. */
  document(reply: Reply): Json
  /** The answer as a stream: each event with its name, where the protocol has names. */
  events(reply: Reply): Array<{ event?: string; data: Json | string }>
}

export type Json = Record<string, unknown>

export const objectsIn = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((each): each is Json => typeof each === 'object' && each !== null) : []
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))
/** The same figures with each answer, so that what a client reports can be compared. */
export const USAGE = { input: 100, output: 10 }
