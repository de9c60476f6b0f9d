import { defineCommand } from '../../core/api/command.ts'
import type { Ctx } from './context.ts'

export const demoCommand = (ctx: Ctx) =>
  defineCommand({
    name: 'demo',
    summary: 'Create a workspace with a sample board, and print its administrator’s token, once',
    details: 'Two teams with projects, agents, history, runs and knowledge. "workspaces remove NAME --yes" removes it.',
    options: {
      name: { type: 'string', placeholder: 'NAME', default: 'Sample board', description: 'The name of the workspace.' },
      email: {
        type: 'string',
        placeholder: 'EMAIL',
        default: 'admin@localhost',
        description: 'The e-mail address of its administrator.'
      }
    },
    database: true,
    async run({ name, email }, terminal) {
      const { makeDemo } = await import('./make.ts')
      const { token, records } = await makeDemo(ctx, { name, adminEmail: email })
      terminal.print(
        `The workspace ${name} has ${records} records. "npm run tracker -- workspaces remove '${name}' --yes" ` +
          `removes it. Its administrator signs in as ${email}, the first time with this token:`
      )
      await terminal.write(`${token}\n`)
    }
  })
