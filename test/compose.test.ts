import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'

interface Service {
  cap_drop?: string[]
  security_opt?: string[]
  logging?: { options?: Record<string, string> }
  env_file?: Array<{ path: string; required: boolean }>
  profiles?: string[]
  volumes?: string[]
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

t.test('what is optional has a profile, and the files that containers read are there', async t => {
  const { services } = composeFile()
  t.match(services, {
    tracker: { profiles: undefined },
    proxy: { profiles: ['proxy'] },
    backup: { profiles: ['backup'] }
  })
  const files = Object.values(services).flatMap(({ volumes = [] }) => volumes.filter(volume => volume.startsWith('./')))
  t.ok(files.length >= 2)
  for (const file of files) t.ok(existsSync(new URL(`../${file.split(':')[0]}`, import.meta.url)), file)
})
