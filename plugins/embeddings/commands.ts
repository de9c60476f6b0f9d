import { defineInstallCommand } from '../../core/api/command.ts'
import { NODE_MODULES } from '../../lib/packages/node-modules.ts'

/** It works in a release, and in a checkout without the packages. */
export const installCommand = defineInstallCommand({
  name: 'model install',
  summary: 'Install the packages that run an embedding model, for search by meaning',
  size: 'npm downloads 114 MB, of which 50 MB are kept.',
  async find() {
    const { isInstalled, runtimePackages } = await import('./model/packages.ts')
    const packages = runtimePackages()
    const names = packages.map(({ name, version }) => `${name} ${version}`).join(', ')
    return {
      packages,
      modules: NODE_MODULES,
      entries: packages.map(({ name }) => name),
      present: packages.every(isInstalled)
        ? `The packages that run an embedding model are installed already: ${names}.`
        : undefined,
      downloaded: names,
      title: names
    }
  }
})
