import type { Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  async fill(make, { team, label }, text, n) {
    const template = await make('/v1/issue_templates', {
      teamId: team?.[0],
      name: `Template ${n} ${text}`,
      title: `Begins ${text}`,
      descriptionMarkdown: `What happens: ${text}`,
      labelIds: label?.slice(0, 1),
      criteria: [`Checked: ${text}`],
      priority: 2
    })
    return { issue_template: [template.id] }
  },
  kinds: { issue_templates: 'issue_template' },
  requests: async (_issue, _size, _server, { issue_template: template }) => [
    ['/v1/issue_templates', {}],
    [`/v1/issue_templates/${template?.[0]}`, {}],
    ['/v1/issue_templates', { body: { teamId: 'ENG', name: `After ${template?.[0]}`, criteria: ['Checked'] } }],
    [`/v1/issue_templates/${template?.[0]}`, { body: { name: 'changed' } }],
    [`/v1/issue_templates/${template?.[0]}`, { method: 'DELETE' }],
    [`/v1/issue_templates/${template?.[0]}/restore`, { method: 'POST' }],
    [`/v1/issue_templates/${template?.[0]}?permanently=true`, { method: 'DELETE' }]
  ],
  async board(server) {
    await server.ok('/v1/issue_templates', {
      body: {
        teamId: 'ENG',
        name: 'Bug report',
        descriptionMarkdown: '## What happens\n\n## What should happen',
        criteria: ['A test shows that it is fixed']
      }
    })
  },
  events: [
    {
      route: 'POST /v1/issue_templates',
      body: { teamId: 'ENG', name: 'Bug' },
      types: ['issue_template.created']
    },
    { route: 'POST /v1/issue_templates/{id}', body: { criteria: ['Fixed'] }, types: ['issue_template.updated'] },
    { route: 'DELETE /v1/issue_templates/{id}', types: ['issue_template.deleted'] },
    { route: 'POST /v1/issue_templates/{id}/restore', types: ['issue_template.updated'] }
  ],
  withoutLocks: [
    'POST /v1/issue_templates',
    'POST /v1/issue_templates/{id}',
    'DELETE /v1/issue_templates/{id}',
    'POST /v1/issue_templates/{id}/restore'
  ]
}
