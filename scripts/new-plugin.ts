/*
 * `npm run new-plugin NAME`: makes a small plugin that works from scripts/templates/plugin, installs it and turns it
 * on.
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import * as api from '../core/api/plugin.ts'

const root = process.cwd()
const templates = join(import.meta.dirname, 'templates/plugin')
const [folder = ''] = process.argv.slice(2)

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
if (!/^[a-z]{2,}(-[a-z]+)*$/.test(folder) || folder.length > 30) {
  fail(
    `'${folder}' cannot be the name of a plugin: lower-case words with hyphens between them, at most 30 characters, ` +
      'e.g. npm run new-plugin release-notes'
  )
}
if (existsSync(join(root, 'plugins', folder))) fail(`There is a plugin '${folder}' already: plugins/${folder}.`)

const name = folder.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
const services = Object.values(api).filter(each => 'isOfCore' in each)
if (api.RESERVED_NAMES.includes(name) || services.some(service => service.name === name)) {
  fail(`The core uses the name '${name}': choose another one.`)
}
/** `release-notes` is `releaseNotes` in the settings and in code, and `release_notes` in paths, tools and tables. */
const values: Record<string, string> = {
  folder,
  name,
  title: folder[0]!.toUpperCase() + folder.slice(1).replaceAll('-', ' '),
  snake: folder.replaceAll('-', '_')
}
const filled = (text: string) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, key: string) => values[key] ?? placeholder)

for (const template of globSync('**/*.template', { cwd: templates })) {
  const path = join(root, 'plugins', folder, filled(template.replace(/\.template$/, '')))
  mkdirSync(dirname(path), { recursive: true })
  const text = filled(readFileSync(join(templates, template), 'utf8'))
  // Line breaks depend on the length of the name.
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }))
}

const indexPath = join(root, 'plugins/index.ts')
writeFileSync(
  indexPath,
  readFileSync(indexPath, 'utf8').replace(/\n}\s*$/, `,\n  ${name}: () => import('./${folder}/index.ts')\n}\n`)
)
const configPath = join(root, 'config/default.json')
const config = readFileSync(configPath, 'utf8')
writeFileSync(
  configPath,
  config.replace(/("plugins": \{[\s\S]*?)\n {2}\}/, `$1,\n    "${name}": { "enabled": true }\n  }`)
)

process.stdout.write(`Made plugins/${folder}, and turned it on. Now:

  npm run generate
  npm run check -- --plugin ${folder}
  TRACKER_DATA_DIR=$(mktemp -d) npm start        # and: GET /v1/${values['snake']}?issueId=ENG-1

The folder is a new one, because a board whose database has the tables already keeps them when you change the migration.
`)
