import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandError } from './command.ts'

type Env = Readonly<Record<string, string | undefined>>

export type Login = { url: string; key: string }

function folderOf(env: Env): string {
  const home = env['HOME'] ?? homedir()
  const base =
    process.platform === 'win32'
      ? (env['APPDATA'] ?? join(home, 'AppData/Roaming'))
      : (env['XDG_CONFIG_HOME'] ?? join(home, '.config'))
  return join(base, 'carillon')
}

export const loginPath = (env: Env): string => join(folderOf(env), 'login.json')

/** The listener that runs on this machine, for `trigger`. */
const listenerPath = (env: Env): string => join(folderOf(env), 'listener.json')

export function saveLogin(env: Env, login: Login): string {
  const path = loginPath(env)
  writePrivately(path, login)
  return path
}

export function readLogin(env: Env): Partial<Login> {
  return readFields(loginPath(env), ['url', 'key'])
}

export function saveListener(env: Env, listener: { id: string }): void {
  writePrivately(listenerPath(env), listener)
}

export function readListener(env: Env): string | undefined {
  return readFields(listenerPath(env), ['id']).id
}

/** Unless another listener has been started since. */
export function forgetListener(env: Env, id: string): void {
  if (readListener(env) === id) rmSync(listenerPath(env), { force: true })
}

/** Only the user can read it, from the first byte on. */
function writePrivately(path: string, content: object): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const written = `${path}.${process.pid}`
  writeFileSync(written, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  chmodSync(written, 0o600)
  renameSync(written, path)
}

function readFields<Name extends string>(path: string, names: readonly Name[]): Partial<Record<Name, string>> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return {}
  }
  try {
    // An object's fields can be read by any name.
    const content = JSON.parse(text) as Record<string, unknown>
    const found = names.flatMap((name) => (typeof content[name] === 'string' ? [[name, content[name]]] : []))
    // Each is one of the names.
    return Object.fromEntries(found) as Partial<Record<Name, string>>
  } catch {
    throw new CommandError(`${path} is damaged: run carillon login again`)
  }
}
