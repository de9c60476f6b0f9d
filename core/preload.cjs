// Loaded before anything else, and by every version of Node: an older one cannot read the TypeScript that follows.
const { enableCompileCache } = require('node:module')
const { engines } = require('../package.json')

const needed = engines.node.replace('>=', '')
if (process.versions.node.localeCompare(needed, 'en', { numeric: true }) < 0) {
  process.stderr.write(
    `tracker needs Node ${needed} or newer, and this is ${process.version}: install it from https://nodejs.org, ` +
      'or run npm install without --omit=dev, which brings one along for the npm scripts.\n'
  )
  process.exit(1)
}

// From the second start on nothing needs to be compiled again, nor to be stripped of its types.
enableCompileCache()
require('./bundled-libraries.ts').useBundledLibraries()
