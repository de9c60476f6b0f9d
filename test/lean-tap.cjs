/*
 * What tap would do in each test process though nothing here uses it, and what costs a tenth of a test's time. It is
 * switched off before tap's own hooks are loaded.
 */
const asyncHooks = require('node:async_hooks')
const { syncBuiltinESMExports } = require('node:module')

// What it records of every module serves coverage and `--changed`. tap sets the files to leave out: this comes after it.
process.env._TAPJS_PROCESSINFO_EXCLUDE_ = '/./'

// It switches source maps on again. There are only those of dependencies, and they are large.
process.setSourceMapsEnabled = () => {}

// It follows each promise in order to know which test an error belongs to that nobody awaits. Without that, such an
// error still ends the process, so that the file fails.
const inert = { enable: () => inert, disable: () => inert }
asyncHooks.createHook = () => inert
syncBuiltinESMExports()
