import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'

interface Service {
  cap_drop?: string[]
  security_opt?: string[]
}

t.test('no container of compose.yaml can gain privileges', async t => {
  const { services } = parse(readFileSync(new URL('../compose.yaml', import.meta.url), 'utf8')) as {
    services: Record<string, Service>
  }
  t.ok(Object.keys(services).length > 0)
  for (const [name, { cap_drop: dropped, security_opt: options }] of Object.entries(services)) {
    t.strictSame(dropped, ['ALL'], name)
    t.strictSame(options, ['no-new-privileges:true'], name)
  }
})
