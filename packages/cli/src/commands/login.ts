import { CarillonError } from '@carillon/sdk'
import { textOf, type Command } from '../command.ts'
import { createClient, isTestKey } from '../connect.ts'
import { saveLogin } from '../login-file.ts'

export const login: Command = {
  summary: 'Store the address of a server and an API key on this machine',
  help: `Usage: carillon login [--url URL] [--key KEY]

Asks for the address and the key that are not given, checks them, and stores them in a file that only you can read.

Options:
  --url URL     Address of the server, such as https://messages.example.com
  --key KEY     API key. Arguments are visible to other users of this machine: better leave it out, or set CARILLON_API_KEY
  --json        Print JSON`,
  options: { url: { type: 'string' }, key: { type: 'string' }, json: { type: 'boolean' } },
  async run({ env, ask, note, out, signal }, input) {
    const url = (textOf(input, 'url') ?? env['CARILLON_URL'] ?? (await ask('Address of the server: ')))
      .trim()
      .replace(/\/+$/, '')
    const key = (textOf(input, 'key') ?? env['CARILLON_API_KEY'] ?? (await ask('API key: ', { isSecret: true }))).trim()
    const warning = await check(url, key, signal)
    const path = saveLogin(env, { url, key })
    const environment = isTestKey(key) ? 'test' : 'live'
    if (warning) note(warning)
    if (input.values['json']) out(JSON.stringify({ url, environment, path }))
    else note(`Logged in at ${url} with a ${environment} key, stored in ${path}`)
  },
}

/** A key without the scope to read the balance is still a key. */
async function check(url: string, key: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    await createClient(url, key).balance.get({ signal })
    return undefined
  } catch (error) {
    if (!(error instanceof CarillonError) || error.status !== 403 || error.code !== 'scope_missing') throw error
    return 'The key lacks the scope balance:read, which only this check needs'
  }
}
