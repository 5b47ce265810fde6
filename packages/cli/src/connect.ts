import { Carillon } from '@carillon/sdk'
import { CommandError, textOf, UsageError, type Input, type Terminal } from './command.ts'
import { readLogin } from './login-file.ts'

export type Connection = { carillon: Carillon; url: string; key: string }

/** The flags come first, then the environment, then the login. */
export function connect({ env }: Terminal, input: Input): Connection {
  const login = readLogin(env)
  const key = textOf(input, 'key') ?? env['CARILLON_API_KEY'] ?? login.key
  // The key of a login is not sent to another server.
  const isOfLogin = key !== undefined && key === login.key
  const url = textOf(input, 'url') ?? env['CARILLON_URL'] ?? login.url
  if (!url || !key)
    throw new CommandError('Not logged in: run carillon login, or set CARILLON_URL and CARILLON_API_KEY')
  if (isOfLogin && url !== login.url)
    throw new CommandError(`The key of the login is for ${login.url}: give the key of ${url} as well`)
  return { carillon: createClient(url, key), url, key }
}

export function createClient(url: string, key: string): Carillon {
  try {
    return new Carillon({ baseUrl: url, apiKey: key })
  } catch (error) {
    const message = error instanceof Error ? error.message : 'Wrong URL or key'
    throw new UsageError(message.replace('baseUrl', 'The URL').replace('apiKey', 'The key'))
  }
}

/** A key says for which environment it is. */
export function isTestKey(key: string): boolean {
  return key.startsWith('carillon_test_')
}
