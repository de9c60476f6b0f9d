import type { Samples } from '../../../test/samples.ts'

const filters = {
  priority: { filterType: 'IS', value: ['urgent'] },
  assignee: { filterType: 'IS', value: ['me', null] }
}

export const samples: Samples = {
  async fill(make, _made, text, n) {
    const view = await make('/v1/views', { name: `View ${n} ${text}`, isShared: true, filters })
    return { view: [view.id] }
  },
  kinds: { views: 'view' },
  requests: async ({ id }, _size, _server, { view }) => [
    ['/v1/views', {}],
    ['/v1/views', { body: { name: 'Another', teamId: 'ENG', filters } }],
    [`/v1/views/${view?.[0]}`, { body: { icon: '🔥', layout: 'list' } }],
    [
      '/v1/favourites',
      {
        method: 'PUT',
        body: {
          favourites: [
            { type: 'issue', id },
            { type: 'view', id: view?.[0] }
          ]
        }
      }
    ],
    ['/v1/favourites', {}],
    [`/v1/views/${view?.[0]}`, { method: 'DELETE' }]
  ],
  async board(server) {
    await server.ok('/v1/views', {
      body: { name: 'Urgent bugs', isShared: true, filters: { priority: { filterType: 'IS', value: ['urgent'] } } }
    })
  },
  events: [
    { route: 'POST /v1/views', body: { name: 'Mine' }, types: ['private_view.created'] },
    { route: 'POST /v1/views/{id}', body: { isShared: true }, types: ['view.updated'] },
    {
      route: 'PUT /v1/favourites',
      call: ({ id = '' }) => ({ method: 'PUT', body: { favourites: [{ type: 'view', id }] } }),
      types: ['favourites.updated']
    },
    { route: 'DELETE /v1/views/{id}', types: ['view.deleted'] }
  ],
  withoutLocks: ['POST /v1/views', 'POST /v1/views/{id}', 'DELETE /v1/views/{id}', 'PUT /v1/favourites']
}
