import { SCOPES } from '../../core/scopes.ts'
import type { Command } from '../../core/points.ts'
import { mcpInstructions, mcpTools } from './contract.ts'
import type { Ctx } from './index.ts'
import { makeToolbox } from './toolbox.ts'

/** `mcp-cost`: what an agent pays in tokens for having the tools at all. */
export const costCommand = ({ contributions, log }: Ctx): Command => ({
  name: 'mcp-cost',
  summary: 'Print the tokens (o200k_base) of each MCP tool and of the instructions',
  usage: '',
  database: false,
  async run () {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
    const tools = makeToolbox(contributions(mcpTools), log).visible(SCOPES)
    const rows: Array<[string, number]> = tools.map(tool => [tool.name, countTokens(JSON.stringify(tool))])
    rows.push(['tools/list', countTokens(JSON.stringify({ tools }))])
    rows.push(['instructions', countTokens(contributions(mcpInstructions).map(({ sentence }) => sentence).join(' '))])
    for (const [name, tokens] of rows) process.stdout.write(`${String(tokens).padStart(6)}  ${name}\n`)
  }
})
