/*
 * Switches off features of tap that no test here uses and that take a tenth of each test's time, before tap's own hooks
 * are loaded.
 */
const asyncHooks = require('node:async_hooks')
const { syncBuiltinESMExports } = require('node:module')

// The code that a test imports is what `npm run build` has made of the sources.
if (process.env.TEST_BUILT) require('./built.ts')

// tap records every module, for coverage and `--changed`. It sets this variable itself: this overrides it.
process.env._TAPJS_PROCESSINFO_EXCLUDE_ = '/./'

// tap switches source maps on again. Only dependencies have some, and they are large.
process.setSourceMapsEnabled = () => {}

// tap follows each promise, to find the test in which an unhandled error happened. Without that, such an error still
// ends the process, so that the file fails.
const inert = { enable: () => inert, disable: () => inert }
asyncHooks.createHook = () => inert
syncBuiltinESMExports()
