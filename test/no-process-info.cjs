/*
 * What tap records of every module that a test loads serves coverage and `--changed`, which are not used, and costs as
 * much as a fifth of a short test. tap sets the files to leave out itself; this comes after it, and before its hooks.
 */
process.env._TAPJS_PROCESSINFO_EXCLUDE_ = '/./'
