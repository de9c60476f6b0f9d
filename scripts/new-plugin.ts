/* `npm run new-plugin NAME`: makes a small plugin that works from scripts/templates/plugin, installs it and turns it on. */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = process.cwd()
const templates = join(import.meta.dirname, 'templates/plugin')
const [name = ''] = process.argv.slice(2)
const folder = join(root, 'plugins', name)

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
if (!/^[a-z][a-z]{1,29}$/.test(name)) {
  fail(`'${name}' cannot be the name of a plugin: two to thirty lower-case letters, e.g. npm run new-plugin notes`)
}
if (existsSync(folder)) fail(`There is a plugin '${name}' already: plugins/${name}.`)

const values: Record<string, string> = {
  name,
  Name: name[0]!.toUpperCase() + name.slice(1),
  table: `${name}_entry`
}
const filled = (text: string) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, key: string) => values[key] ?? placeholder)

for (const template of globSync('**/*.template', { cwd: templates })) {
  const path = join(folder, filled(template.replace(/\.template$/, '')))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, filled(readFileSync(join(templates, template), 'utf8')))
}

const indexPath = join(root, 'plugins/index.ts')
writeFileSync(
  indexPath,
  readFileSync(indexPath, 'utf8').replace(/\n}\s*$/, `,\n  ${name}: () => import('./${name}/index.ts')\n}\n`)
)
const configPath = join(root, 'config/default.json')
const config = readFileSync(configPath, 'utf8')
writeFileSync(
  configPath,
  config.replace(/("plugins": \{[\s\S]*?)\n {2}\}/, `$1,\n    "${name}": { "enabled": true }\n  }`)
)

process.stdout.write(`Made plugins/${name}, and turned it on. Now:

  npm run format && npm run generate
  npx tap --disable-coverage plugins/${name}/test/${name}.test.ts
  npm start        # and: GET /v1/${name}?issueId=ENG-1
`)
