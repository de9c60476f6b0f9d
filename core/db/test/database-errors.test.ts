import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { contract } from '../../api/contract.ts'
import { definePlugin, dependsOn } from '../../api/plugin.ts'

const failed = (message: string, properties: object = {}) => Object.assign(new Error(message), properties)

/** Errors of pg and Node while a database is unavailable, by cause. */
const AWAY: Record<string, Error> = {
  'its name cannot be resolved': failed('getaddrinfo ENOTFOUND database', {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo'
  }),
  'the name server is away': failed('getaddrinfo EAI_AGAIN database', { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }),
  'its host is away': failed('connect EHOSTUNREACH 10.0.0.1:5432', { code: 'EHOSTUNREACH', syscall: 'connect' }),
  'its host does not answer': failed('connect ETIMEDOUT 10.0.0.1:5432', { code: 'ETIMEDOUT', syscall: 'connect' }),
  'its socket is gone': failed('connect ENOENT /run/.s.PGSQL.5432', { code: 'ENOENT', syscall: 'connect' }),
  'none of its addresses answers': Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }),
  'it closed the connection': failed('write EPIPE', { code: 'EPIPE', syscall: 'write' }),
  'the connection broke before': failed('Client has encountered a connection error and is not queryable'),
  'connecting takes too long': failed('timeout expired'),
  'it ended an idle session': failed('terminating connection due to idle-session timeout', { code: '57P05' }),
  'it has no memory left': failed('out of memory', { code: '53200' }),
  'a pooler lost it': failed('server conn crashed?', { code: '08P01' }),
  'a worker of its closed the connection': failed('server closed the connection unexpectedly', { code: 'XX000' }),
  'it has marked a worker as lost': failed('failure on connection marked as essential: 10.0.0.2:5432', {
    code: 'XX000'
  }),
  'a worker of its ended': failed('terminating connection due to unexpected postmaster exit', { code: 'XX000' })
}
const FULL: Record<string, Error> = {
  'its disk is full': failed('could not extend file: No space left on device', { code: '53100' }),
  'it takes no writes': failed('cannot execute INSERT in a read-only transaction', { code: '25006' })
}

const failing = definePlugin(dependsOn(contract()('failing')), {
  summary: 'Fails as a database does',
  routes(app) {
    app.get<{ Params: { what: string } }>('/v1/fail/:what', async ({ params }) => {
      const error = { ...AWAY, ...FULL }[params.what]
      if (error) throw error
    })
  }
})
const server = await testServer({ plugins: ['workspace'], also: { failing: async () => ({ default: failing }) } })
t.teardown(() => server.close())

for (const [errors, code] of [
  [AWAY, 'OVERLOADED'],
  [FULL, 'STORAGE_FULL']
] as const) {
  for (const what of Object.keys(errors)) {
    t.test(`a request gets a 503 with Retry-After when the database is unavailable: ${what}`, async t => {
      const answer = await server.call(`/v1/fail/${encodeURIComponent(what)}`)
      t.match(answer.json(), { statusCode: 503, code, message: String })
      t.match(answer.headers['retry-after'], /^\d+$/)
      t.notMatch(answer.body, /10\.0\.0\.1|database:|PGSQL/)
    })
  }
}
