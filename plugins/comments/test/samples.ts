import { bound, post, READ_ISSUES, remove, WRITTEN_ISSUES, type Samples } from '../../../test/samples.ts'

export const samples: Samples = {
  async fill(make, { issue }, text) {
    const path = `/v1/issue_comments?issueId=${issue?.[0]}`
    const bodyMarkdown = `\`\`\`js\n${text}()\n\`\`\`\n`
    const comment = await make(path, { bodyMarkdown })
    const reply = await make(path, { bodyMarkdown, parentId: comment.id })
    const question = await make(path, { bodyMarkdown, question: { options: [text] } })
    return { comment: [comment.id, reply.id, question.id] }
  },
  kinds: { issue_comments: 'comment' },
  async requests({ key }, size, server, { comment }) {
    const ask = () =>
      server.ok<{ id: string }>(`/v1/issue_comments?issueId=${key}`, {
        body: {
          bodyMarkdown: 'Which?',
          question: { options: Array.from({ length: Math.min(size, 10) }, (_, i) => `${i}`) }
        }
      })
    const [first, second] = [await ask(), await ask()]
    return [
      [
        `/v1/issue_comments?issueId=${key}`,
        { body: { bodyMarkdown: Array.from({ length: size }, (_, i) => `line ${i}`).join('\n') } }
      ],
      [`/v1/issue_comments?issueId=${key}`, {}],
      [`/v1/issue_comments/${comment?.[0]}`, {}],
      [`/v1/issue_comments/${comment?.[0]}`, { body: { bodyMarkdown: 'changed' } }],
      [`/v1/issue_comments/${comment?.[0]}`, { method: 'DELETE' }],
      [`/v1/issue_comments/${comment?.[0]}/restore`, { method: 'POST' }],
      [`/v1/issue_comments/${comment?.[0]}?permanently=true`, { method: 'DELETE' }],
      [`/v1/issue_comments/${first.id}/answer`, { body: { bodyMarkdown: 'This.' } }],
      [`/v1/issue_comments/${second.id}/withdraw`, { body: {} }]
    ]
  },
  events: [
    {
      route: 'POST /v1/issue_comments?issueId={issueId}',
      body: { bodyMarkdown: 'A note.' },
      types: ['comment.created']
    },
    { route: 'POST /v1/issue_comments/{id}', body: { bodyMarkdown: 'Another.' }, types: ['comment.updated'] },
    { route: 'DELETE /v1/issue_comments/{id}', types: ['comment.deleted'] },
    { route: 'POST /v1/issue_comments/{id}/restore', types: ['comment.updated'] },
    {
      route: 'POST /v1/issue_comments?issueId={issueId}',
      body: { bodyMarkdown: 'Which?', question: {} },
      types: ['comment.created', 'question.asked']
    },
    {
      route: 'POST /v1/issue_comments/{id}/answer',
      body: { bodyMarkdown: 'This.' },
      types: ['comment.created', 'question.answered']
    },
    {
      route: 'POST /v1/issue_comments?issueId={issueId}',
      body: { bodyMarkdown: 'And?', question: {} },
      types: ['comment.created', 'question.asked']
    },
    { route: 'POST /v1/issue_comments/{id}/withdraw', body: {}, types: ['question.withdrawn'] }
  ],
  async lockRecords(make, { issue }) {
    const path = `/v1/issue_comments?issueId=${issue}`
    const { id: comment } = await make(path, { bodyMarkdown: 'first' })
    const { id: question } = await make(path, { bodyMarkdown: 'Which?', question: {} })
    const { id: reply } = await make(path, { bodyMarkdown: 'reply', parentId: comment })
    return { comment, question, reply }
  },
  locks: {
    'POST /v1/issue_comments': [
      ({ issue, todo, done }, n) => [
        `/v1/issue_comments?issueId=${issue}`,
        post({ bodyMarkdown: 'done', stateId: n % 2 ? todo : done })
      ],
      ({ issue, other }, n) => [
        `/v1/issue_comments?issueId=${n % 2 ? issue : other}`,
        post({ bodyMarkdown: 'the same', duplicateOf: n % 2 ? other : issue })
      ],
      ({ issue, comment }, n) => [
        `/v1/issue_comments?issueId=${issue}`,
        post({ bodyMarkdown: 'noted', ...(n % 2 && { parentId: comment }) })
      ],
      ({ issue, question }, n) => [
        `/v1/issue_comments?issueId=${issue}`,
        post({ bodyMarkdown: 'asked', parentId: question, ...(n % 2 && { question: {} }) })
      ]
    ],
    'POST /v1/issue_comments/{id}/answer': [
      ({ question }, n) => [`/v1/issue_comments/${question}/answer`, post({ bodyMarkdown: `Answer ${n}` })]
    ],
    'POST /v1/issue_comments/{id}/withdraw': [({ question }) => [`/v1/issue_comments/${question}/withdraw`, post({})]],
    'POST /v1/issue_comments/{id}': [({ reply }) => [`/v1/issue_comments/${reply}`, post({ bodyMarkdown: 'edited' })]],
    'DELETE /v1/issue_comments/{id}': [
      ({ comment }) => [`/v1/issue_comments/${comment}`, remove],
      ({ comment }) => [`/v1/issue_comments/${comment}?permanently=true`, remove]
    ],
    'POST /v1/issue_comments/{id}/restore': [
      ({ comment }) => [`/v1/issue_comments/${comment}/restore`, post({})],
      ({ reply }) => [`/v1/issue_comments/${reply}/restore`, post({})]
    ]
  },
  moreStatements: { 'DELETE /v1/issue_comments/{id}': 4, close_task: 8 },
  async runRecords(server, token, { agent, own, foreign }) {
    const add = async (issue: string, body: object, as = token) =>
      (await server.ok<{ id: string }>(`/v1/issue_comments?issueId=${issue}`, { token: as, body })).id
    return {
      ownComment: await add(own!, { bodyMarkdown: 'A comment.' }),
      foreignComment: await add(foreign!, { bodyMarkdown: `On ${foreign}.` }),
      ownQuestion: await add(own!, { bodyMarkdown: 'Which one?', question: { to: [agent] } }, server.token),
      askedByRun: await add(own!, { bodyMarkdown: 'Which one?', question: {} })
    }
  },
  boundToRuns: {
    'GET /v1/issue_comments': bound(ref => `/v1/issue_comments?issueId=${ref}`, READ_ISSUES),
    'POST /v1/issue_comments': bound(ref => `/v1/issue_comments?issueId=${ref}`, WRITTEN_ISSUES, {
      bodyMarkdown: 'A note.'
    }),
    'GET /v1/issue_comments/{id}': bound(id => `/v1/issue_comments/${id}`, {
      outside: ['foreignComment'],
      inside: ['ownComment']
    }),
    'POST /v1/issue_comments/{id}': {
      outside: ({ foreignComment }) => [
        { path: `/v1/issue_comments/${foreignComment}`, body: { bodyMarkdown: 'Changed.' } }
      ],
      inside: ({ ownComment }) => [{ path: `/v1/issue_comments/${ownComment}`, body: { bodyMarkdown: 'Changed.' } }]
    },
    'POST /v1/issue_comments/{id}/answer': {
      outside: ({ foreignComment }) => [
        { path: `/v1/issue_comments/${foreignComment}/answer`, body: { bodyMarkdown: 'This.' } }
      ],
      inside: ({ ownQuestion }) => [
        { path: `/v1/issue_comments/${ownQuestion}/answer`, body: { bodyMarkdown: 'This.' } }
      ]
    },
    'POST /v1/issue_comments/{id}/withdraw': {
      outside: ({ foreignComment }) => [{ path: `/v1/issue_comments/${foreignComment}/withdraw`, body: {} }],
      inside: ({ askedByRun }) => [{ path: `/v1/issue_comments/${askedByRun}/withdraw`, body: {} }]
    }
  }
}
