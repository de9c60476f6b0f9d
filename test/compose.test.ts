import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'

interface Service {
  cap_drop?: string[]
  security_opt?: string[]
  logging?: { options?: Record<string, string> }
  env_file?: Array<{ path: string; required: boolean }>
}
const composeFile = () =>
  parse(readFileSync(new URL('../compose.yaml', import.meta.url), 'utf8'), { merge: true }) as {
    services: Record<string, Service>
  }

t.test('no container of compose.yaml can gain privileges', async t => {
  const { services } = composeFile()
  t.ok(Object.keys(services).length > 0)
  for (const [name, { cap_drop: dropped, security_opt: options }] of Object.entries(services)) {
    t.strictSame(dropped, ['ALL'], name)
    t.strictSame(options, ['no-new-privileges:true'], name)
  }
})

t.test('every container has limits for its log, and the server takes settings from a file', async t => {
  const { services } = composeFile()
  for (const [name, { logging }] of Object.entries(services)) t.ok(logging?.options?.['max-size'], name)
  t.strictSame(services['tracker']!.env_file, [{ path: 'tracker.env', required: false }])
})
