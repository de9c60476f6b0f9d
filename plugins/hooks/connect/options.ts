import type { Toolset } from '../../mcp/contract.ts'

/** The environment variable with the agent's token, which is not written to any file. */
export const TOKEN_VARIABLE = 'TRACKER_TOKEN'

export interface ConnectOptions {
  mcp: boolean
  allowTools: boolean
  /** Undefined: those of the file, or all. */
  tools: Toolset | undefined
}

export interface ConfigFile {
  /** Relative to the connected folder, or to the user's home. */
  path: string
  isInHome?: boolean
  /** @param text '' for a missing file @throws Error with the reason why it cannot be changed */
  edit(text: string): string
}

/** @returns the address without slashes at its end, safe in each of the files, including shell commands */
export function addressOf(text: string): string {
  const url = text.replace(/(?<!\/)\/+$/, '')
  if (!/^https?:\/\/[\w.:[\]-]+(?:\/[\w.~%-]+)*$/.test(url)) {
    throw new Error(`'${text}' is not the address of a server: send one such as --url https://tracker.example.com`)
  }
  return url
}
