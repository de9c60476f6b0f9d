import { TOKEN_VARIABLE } from './options.ts'

export const CLIENT_NAMES = [
  'claude-code',
  'codex',
  'cursor',
  'gemini',
  'opencode',
  'vscode',
  'zed',
  'windsurf',
  'goose',
  'amp'
] as const
export type ClientName = (typeof CLIENT_NAMES)[number]

interface ClientTexts {
  title: string
  /** The step before the client uses the files: a question that it asks, or something that it needs. */
  next: string
  /** How it calls the tools without asking, in runs without a person. */
  unattended: string
}

export const CLIENT_TEXTS: Record<ClientName, ClientTexts> = {
  'claude-code': {
    title: 'Claude Code',
    next: 'Claude Code asks once whether it may use the MCP server of this repository.',
    unattended:
      'Its tools are allowed once this folder is trusted in Claude Code. Until then, start it with ' +
      'claude -p "…" --mcp-config .mcp.json --allowedTools mcp__tracker'
  },
  codex: {
    title: 'Codex',
    next: 'Codex reads these files in a repository that it trusts, and has the hooks reviewed once (/hooks).',
    unattended: 'Its tools are allowed in a repository that Codex trusts. Until then, start it with codex exec --trust'
  },
  cursor: {
    title: 'Cursor',
    next: 'Cursor asks once whether it may use the MCP server of this repository.',
    unattended:
      'Cursor has no such setting in a repository. For unattended runs, start it with ' +
      'cursor-agent --print --approve-mcps --force'
  },
  gemini: {
    title: 'Gemini CLI',
    next: 'Gemini CLI reads this file in a folder that it trusts, and asks once whether it may run its hooks.',
    unattended:
      'Its tools are allowed in a folder that Gemini CLI trusts. Where nobody has trusted it, start it with ' +
      'GEMINI_CLI_TRUST_WORKSPACE=true gemini -p "…"'
  },
  opencode: {
    title: 'opencode',
    next: 'opencode reads this file when it starts in this folder.',
    unattended: 'opencode calls tools without asking, unless its "permission" says otherwise.'
  },
  vscode: {
    title: 'VS Code',
    next:
      'VS Code asks whether it trusts the server, and once for the token, when the agent mode of Copilot first uses ' +
      `it: it reads no ${TOKEN_VARIABLE}.`,
    unattended: 'VS Code has no such setting in a repository: allow the tools of the server when it first asks.'
  },
  zed: {
    title: 'Zed',
    next:
      'Zed reads this file in a folder that it trusts, and signs in with the plugin oauth: it reads no variables ' +
      `here. With a token instead, add "headers": {"Authorization": "Bearer trk_…"} to the server "tracker" in your ` +
      'own settings (~/.config/zed/settings.json), not in the repository.',
    unattended: 'Zed has no unattended runs: allow the tools when it first asks.'
  },
  windsurf: {
    title: 'Windsurf',
    next: 'Windsurf reads the file of your home folder: refresh its list of MCP servers.',
    unattended: 'Windsurf has no unattended runs: allow the tools when it first asks.'
  },
  goose: {
    title: 'goose',
    next: 'goose reads the file of your home folder when a session starts.',
    unattended: 'For unattended runs, start it with GOOSE_MODE=auto goose run -t "…"'
  },
  amp: {
    title: 'Amp',
    next: 'Amp asks once whether it may use the MCP server of this folder: amp mcp approve tracker',
    unattended: 'Its tools are allowed by "amp.permissions" of this file.'
  }
}

/** True for a client that reads the token from the variable; the others ask for it, or sign in. */
export const readsVariable = (client: ClientName): boolean => client !== 'vscode' && client !== 'zed'

export const nextSteps = (client: ClientName): string[] => [
  CLIENT_TEXTS[client].next,
  ...(readsVariable(client)
    ? [`Start it with the agent’s token in the variable ${TOKEN_VARIABLE}; the files hold only its name.`]
    : [])
]
