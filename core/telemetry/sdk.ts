import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type * as OpenTelemetry from '@opentelemetry/api'
import type * as Core from '@opentelemetry/core'
import type * as Resources from '@opentelemetry/resources'
import type * as Sdk from '@opentelemetry/sdk-node'
import type { FastifyBaseLogger } from 'fastify'
import { secretOf } from '../config/environment.ts'
import { version } from '../../lib/packages/version.ts'

/** Exporters read it themselves; it usually has a secret. */
const HEADERS = 'OTEL_EXPORTER_OTLP_HEADERS'

/** Milliseconds in which what is left is sent when the server stops; it has 9 seconds for all. */
const STOP_TIMEOUT_MS = 3_000
const MAX_PROBLEMS = 1_000

export interface LoadedSdk {
  api: typeof OpenTelemetry
  /** True in the requests of the exporters, which are not traced. */
  isSuppressed(): boolean
  stop(): Promise<void>
}

/** It reads the variables OTEL_…; once in a process. @param modules the folder that has its packages */
export function startSdk(modules: string, env: NodeJS.ProcessEnv, log: FastifyBaseLogger): LoadedSdk {
  const require = createRequire(join(dirname(modules), 'telemetry.cjs'))
  const api = require('@opentelemetry/api') as typeof OpenTelemetry
  const core = require('@opentelemetry/core') as typeof Core
  const { defaultResource, resourceFromAttributes } = require('@opentelemetry/resources') as typeof Resources
  const { NodeSDK } = require('@opentelemetry/sdk-node') as typeof Sdk

  const headers = secretOf(env, HEADERS)
  if (headers !== undefined) env[HEADERS] = headers
  if (env['OTEL_LOG_LEVEL'] === undefined) api.diag.setLogger(problemsOnly(log), api.DiagLogLevel.WARN)
  const sdk = new NodeSDK({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES replace these.
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.name': 'tracker', 'service.version': version })
    ),
    logRecordProcessors: []
  })
  sdk.start()
  return {
    api,
    isSuppressed: () => core.isTracingSuppressed(api.context.active()),
    async stop() {
      const late = sleep(STOP_TIMEOUT_MS, undefined, { ref: false }).then(() => {
        throw new Error(`The collector does not take them within ${STOP_TIMEOUT_MS / 1000} seconds.`)
      })
      await Promise.race([sdk.shutdown(), late]).catch((err: unknown) =>
        log.warn({ err }, 'the last traces and metrics were not sent')
      )
    }
  }
}

/** A collector that is away is reported once for each kind of problem, and not with each batch. */
function problemsOnly(log: FastifyBaseLogger): OpenTelemetry.DiagLogger {
  const reported = new Set<string>()
  const report = (message: string): void => {
    // Errors come as JSON with their stacks.
    const problem = /"message":"((?:[^"\\]|\\.)*)"/.exec(message)?.[1] ?? message
    log[reported.has(problem) ? 'debug' : 'warn']({ problem }, 'OpenTelemetry')
    if (reported.size < MAX_PROBLEMS) reported.add(problem)
  }
  const ignore = () => {}
  return { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore }
}
