import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs a command in a folder. It sees nothing of this environment but the path; npm asks no registry. */
export const runOffline = (folder: string, command: string, ...args: string[]) =>
  run(command, args, {
    cwd: folder,
    env: {
      HOME: folder,
      PATH: process.env['PATH'],
      npm_config_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false'
    }
  })
