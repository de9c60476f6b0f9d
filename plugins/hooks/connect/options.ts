import type { Toolset } from '../../mcp/contract.ts'

/** The environment variable with the agent's token; the token itself is not written to any file. */
export const TOKEN_VARIABLE = 'TRACKER_TOKEN'

export interface ConnectOptions {
  /** Whether the server has tools. */
  mcp: boolean
  /** Whether the client may call the tools without asking. */
  allowTools: boolean
  /** The tools that are listed; undefined: those of the file, or all. */
  tools: Toolset | undefined
}

/** A file of a client's configuration. */
export interface ConfigFile {
  /** Relative to the connected folder. */
  path: string
  /** The new content, from the present one ('' for a missing file). @throws Error with why it cannot be changed */
  edit(text: string): string
}
