// Loaded before anything else, and by every version of Node: an older one cannot read the TypeScript that follows.
const { enableCompileCache } = require('node:module')
const { setFlagsFromString } = require('node:v8')
const { engines, devDependencies } = require('../../package.json')

const needed = engines.node.replace('>=', '')
// By their numbers: to compare texts as a language does takes a fifth of the time of all that is done here.
const [major, minor] = process.versions.node.split('.').map(Number)
const [neededMajor, neededMinor] = needed.split('.').map(Number)
if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  process.stderr.write(
    `tracker needs Node ${needed} or newer, and this is ${process.version}: install it from https://nodejs.org` +
      // What is built or released has no such scripts.
      (devDependencies
        ? ', or run npm install without --omit=dev, which brings one along for the npm scripts.\n'
        : '.\n')
  )
  process.exit(1)
}

// The measures and the measurement of each: README.md.
if (process.env.TRACKER_PLAIN_START !== 'true') {
  // V8 concludes from a start that what the same code makes for requests stays, too, and puts it among the old objects:
  // 2.6 MB at each scavenge under load.
  setFlagsFromString('--no-allocation-site-pretenuring')

  // From the second start on nothing is compiled again, or stripped of its types. Threads read the variable.
  const { directory } = enableCompileCache()
  if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory
  require('./bundled-libraries.ts').useBundledLibraries()
}
