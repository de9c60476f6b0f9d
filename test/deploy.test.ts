import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import t from 'tap'
import { parse } from 'yaml'
import { version } from '../lib/packages/version.ts'
import { readConfiguration } from '../core/config/config.ts'
import { installed } from '../plugins/index.ts'
import { temporaryFolder } from './runner/temporary-folder.ts'

interface Container {
  env: Array<{ name: string; value: string }>
}
interface Deployment {
  spec: { template: { spec: { initContainers: Container[]; containers: Container[] } } }
}
interface Data {
  stringData: Record<string, string>
}

const read = (file: string) => readFileSync(new URL(`../deploy/kubernetes/${file}`, import.meta.url), 'utf8')
const manifest = <T>(file: string): T => parse(read(file)) as T

t.test('the settings and secrets of the manifests are those of the server', async t => {
  const folder = temporaryFolder(t)
  const secrets = Object.entries(manifest<Data>('secret.example.yaml').stringData)
  for (const [name, value] of secrets) await writeFile(join(folder, name), value)
  const { initContainers, containers } = manifest<Deployment>('deployment.yaml').spec.template.spec
  for (const { env } of [...initContainers, ...containers]) {
    const files = env.map(({ name, value }) => [name, value.replace('/run/secrets/tracker', folder)])
    t.strictSame(files.map(([, file]) => file).toSorted(), secrets.map(([name]) => join(folder, name)).toSorted())
    const variables = { HOST: '0.0.0.0', ...Object.fromEntries(files), ...parseEnv(read('settings.env')) }
    const { settings, warnings } = await readConfiguration(installed, variables)
    t.match(settings, { databaseUrl: /^postgres:/, publicUrl: /^https:/, trustProxy: '10.0.0.0/8' })
    t.strictSame(warnings, [])
  }
})

t.test('the manifests that kustomization.yaml names select the pods of the deployment', async t => {
  const { resources, images } = manifest<{ resources: string[]; images: object[] }>('kustomization.yaml')
  t.match(images, [{ name: 'tracker', newTag: version.replace(/-.*/, '') }])
  const labels = { 'app.kubernetes.io/name': 'tracker' }
  const deployment = manifest<{ spec: { template: { metadata: object } } }>('deployment.yaml')
  t.match(deployment.spec.template.metadata, { labels })
  for (const file of resources) t.match(manifest(file), { metadata: { name: 'tracker' } }, file)
  t.match(manifest('service.yaml'), { spec: { selector: labels } })
  t.match(manifest('disruption-budget.yaml'), { spec: { selector: { matchLabels: labels } } })
  t.match(manifest('network-policy.yaml'), { spec: { podSelector: { matchLabels: labels } } })
})
