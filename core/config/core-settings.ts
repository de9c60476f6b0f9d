import { Type } from 'typebox'
import { SHORT_READ_CONNECTIONS } from '../db/limits.ts'

const PROXY = '[0-9a-fA-F]*[.:][0-9a-fA-F.:]*(/[0-9]{1,3})?'
const PROXIES = `^${PROXY}( *, *${PROXY})*$`

/** The core's settings; each plugin adds its own under `plugins.<name>`. */
export const coreSettings = Type.Object(
  {
    host: Type.String({ default: '127.0.0.1', description: 'The address to listen on; `0.0.0.0` for all.' }),
    port: Type.Integer({
      default: 3000,
      minimum: 0,
      maximum: 65535,
      description: 'The port to listen on; `0` for any free one.'
    }),
    prefix: Type.String({
      default: '',
      pattern: '^(/[^/?#]+)*$',
      description: 'A proxy prefix to accept and strip, e.g. `/api`.'
    }),
    logLevel: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      default: 'info',
      reloads: true,
      description: 'The least important messages that are logged.'
    }),
    databaseUrl: Type.Optional(
      Type.String({
        pattern: '^postgres(ql)?://',
        writeOnly: true,
        description: 'A PostgreSQL URL; without it the embedded database is used.'
      })
    ),
    databaseDirectUrl: Type.Optional(
      Type.String({
        pattern: '^postgres(ql)?://',
        writeOnly: true,
        description:
          'The same database without a pooler between, for the one connection on which each process receives ' +
          'notifications from the others; without it `databaseUrl` is used.'
      })
    ),
    eventsKeepDays: Type.Integer({
      default: 30,
      minimum: 1,
      maximum: 3650,
      description: 'Days for which the event log keeps events. The activity that pages show does not depend on it.'
    }),
    dataDir: Type.String({ default: './data', minLength: 1, description: 'The folder of the embedded database.' }),
    backupFolder: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'The folder of backups of the embedded database, which the server then makes by itself. ' +
          '[Backups](backup-and-upgrade.md#by-schedule).'
      })
    ),
    backupEveryHours: Type.Integer({
      default: 24,
      minimum: 1,
      maximum: 8760,
      reloads: true,
      description: 'Hours between two such backups.'
    }),
    backupKeep: Type.Integer({
      default: 7,
      minimum: 1,
      maximum: 10_000,
      reloads: true,
      description: 'How many of them are kept; the oldest are removed.'
    }),
    lowMemory: Type.Boolean({
      default: false,
      description:
        'Whether the server with its embedded database needs less than half of the memory while it starts, and less ' +
        'when it is idle; searches take a third more time. How much: [Memory](deployment.md#memory).'
    }),
    databasePool: Type.Integer({
      default: 12,
      minimum: 2,
      maximum: 1000,
      description:
        'Connections to PostgreSQL, per process, at most, for changes and for statements that may be slow; ' +
        `short reads share ${SHORT_READ_CONNECTIONS} more.`
    }),
    plainStatements: Type.Boolean({
      default: false,
      description:
        'Whether each statement is sent alone and unprepared, to see whether an error remains without what is there ' +
        'for speed: requests then take longer.'
    }),
    slowStatementMs: Type.Integer({
      default: 1_000,
      minimum: 0,
      reloads: true,
      description:
        'Milliseconds after which a statement of the database is named in the log, and counted in `/metrics`; `0`: ' +
        'none is.'
    }),
    telemetry: Type.Boolean({
      default: false,
      description:
        'Whether traces and metrics are sent to OpenTelemetry; where to, the variables `OTEL_…` say. ' +
        '[OpenTelemetry](monitoring.md#opentelemetry).'
    }),
    jobs: Type.Boolean({
      default: true,
      description: 'Whether this process does background work; with several replicas some may only serve.'
    }),
    publicUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^/?#]+(/[^?#]*)?$',
        description:
          'Where browsers reach the server, e.g. `https://tracker.example.org`; without it, the host that a request ' +
          'names. ' +
          'With `https:` the cookie of a session is sent over TLS only.'
      })
    ),
    trustProxy: Type.Union([Type.Literal(false), Type.String({ pattern: PROXIES })], {
      default: false,
      description:
        'The proxies whose `X-Forwarded-*` headers are believed: addresses or networks, with commas between them, ' +
        'e.g. `10.0.0.0/8`. `true` is refused: then anybody could name any address.'
    }),
    maxEventLoopDelay: Type.Integer({
      default: 10_000,
      minimum: 0,
      description:
        'Milliseconds that the process may lag behind before it turns requests away with 503; `0`: it never does.'
    }),
    requestTimeoutMs: Type.Integer({
      default: 60_000,
      minimum: 100,
      description: 'Milliseconds in which a request must have arrived as a whole; a slower one is answered with 408.'
    }),
    keepAliveTimeoutMs: Type.Integer({
      default: 72_000,
      minimum: 1,
      description:
        'Milliseconds that a connection is kept open between two requests; longer than a proxy keeps its own.'
    }),
    maxConnections: Type.Integer({
      default: 2_000,
      minimum: 2,
      description:
        'Most connections of clients at once, per process; further ones are closed. At most half are event streams; ' +
        'of these a workspace has at most half, and a token a twentieth.'
    }),
    streamStallTimeoutMs: Type.Integer({
      default: 30_000,
      minimum: 1,
      description: 'Milliseconds for which the reader of a long answer may take nothing of it before it is cut off.'
    }),
    streamTimeoutMs: Type.Integer({
      default: 900_000,
      minimum: 1,
      description: 'Milliseconds that a long answer may take to be read, before it is cut off.'
    }),
    publicDocs: Type.Boolean({
      default: true,
      description: 'Whether `/docs` and `/openapi.json` can be read without a token.'
    }),
    publicMetrics: Type.Boolean({ default: true, description: 'Whether `/metrics` can be read without a token.' })
  },
  { additionalProperties: false }
)
