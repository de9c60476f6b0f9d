import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  withoutQueries: [
    '/.well-known/agent-skills/',
    '/.well-known/agent-skills/index.json',
    '/.well-known/agent-skills/working-tracker-issues/SKILL.md',
    '/v1/agent-skill/AGENTS.md'
  ]
}
