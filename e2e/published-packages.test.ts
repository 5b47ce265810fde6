import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import type { ApiEnvironment } from '@carillon/contract/api-key-records'
import { ApiScope } from '@carillon/contract/api-scopes'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStack, type Stack } from './support/stack.ts'

const root = join(import.meta.dirname, '..')
const execute = promisify(execFile)

let stack: Stack
let folder: string
let keys: Record<ApiEnvironment, string>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-packages-'))
  await install()
  stack = await startStack()
  const manager = await createClient(stack.url, { username: 'manager', password: demoPassword })
  const config = { host: '127.0.0.1', port: stack.simulator.smscPort, systemId: 'carillon', password: 'simulator' }
  const sms = {
    name: 'Main',
    provider: 'smpp',
    headers: ['ACMERT'],
    entityId: '1101000000000000001',
    ratePerSecond: 60,
    config,
  }
  const { _id } = await manager.call<{ _id: string }>('smsAccounts.create', { body: sms })
  await manager.call('smsAccounts.activate', { body: { id: _id, isActive: true } })
  const create = async (environment: ApiEnvironment) =>
    (
      await manager.call<{ secret: string }>('apiKeys.create', {
        body: { name: environment, environment, scopes: ApiScope.options },
      })
    ).secret
  keys = { live: await create('live'), test: await create('test') }
}, 120_000)
afterAll(async () => {
  await stack?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The packages as npm would publish them, alone in an empty folder. */
async function install() {
  const packed = join(folder, 'packed')
  const project = join(folder, 'project')
  mkdirSync(packed)
  mkdirSync(project)
  // With the scripts of the packages, which build them.
  for (const name of ['sdk', 'cli']) await npm(['pack', '--pack-destination', packed], join(root, 'packages', name))
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }))
  const tarballs = readdirSync(packed).map((name) => join(packed, name))
  expect(tarballs).toHaveLength(2)
  await npm(['install', '--offline', '--no-audit', '--no-fund', ...tarballs], project)
}

function npm(args: string[], cwd: string) {
  const { npm_execpath: path } = process.env
  return path?.endsWith('.js')
    ? execute(process.execPath, [path, ...args], { cwd })
    : execute('npm', args, { cwd, shell: process.platform === 'win32' })
}

const projectFolder = () => join(folder, 'project')

function environmentOf(environment: ApiEnvironment) {
  return {
    ...process.env,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    CARILLON_URL: stack.url,
    CARILLON_API_KEY: keys[environment],
  }
}

async function runScript(name: string, text: string, environment: ApiEnvironment = 'live'): Promise<string> {
  writeFileSync(join(projectFolder(), name), text)
  const { stdout } = await execute(process.execPath, [name], { cwd: projectFolder(), env: environmentOf(environment) })
  return stdout
}

const program = () => join(projectFolder(), 'node_modules/.bin/carillon')

const carillon = (args: string[], environment: ApiEnvironment = 'live') =>
  execute(process.execPath, [program(), ...args], { cwd: projectFolder(), env: environmentOf(environment) })

const create = `import { Carillon, verifyWebhook } from '@carillon/sdk'
const carillon = new Carillon({ baseUrl: process.env.CARILLON_URL, apiKey: process.env.CARILLON_API_KEY })
`

test('the packages contain what they need and nothing else, and the SDK has no dependencies', async () => {
  const installed = join(projectFolder(), 'node_modules')
  expect(readdirSync(installed).filter((name) => !name.startsWith('.'))).toEqual(['@carillon', 'carillon'])
  for (const path of ['@carillon/sdk', 'carillon'])
    expect(readdirSync(join(installed, path)).toSorted()).toEqual(['README.md', 'dist', 'package.json'])
  expect(readdirSync(join(installed, '@carillon/sdk/dist')).filter((name) => name.includes('test'))).toEqual([])
})

test(
  'the SDK sends through the running product, and the message arrives at the phone',
  { timeout: 60_000 },
  async () => {
    const output = await runScript(
      'send.js',
      `${create}
const options = { idempotencyKey: 'order-1' }
const message = { to: '+919812300041', channel: 'sms', text: 'Your order is on its way', reference: 'order-1' }
const [first, second] = [await carillon.messages.send(message, options), await carillon.messages.send(message, options)]
let status
while (status !== 'delivered') {
  await new Promise((resolve) => setTimeout(resolve, 100))
  ;({ status } = await carillon.messages.get(first.id))
}
const listed = []
for await (const { id } of carillon.messages.list({ reference: 'order-1', limit: 1 })) listed.push(id)
console.log(JSON.stringify({ ids: [first.id, second.id], listed, status }))`,
    )
    const { ids, listed, status } = JSON.parse(output) as { ids: string[]; listed: string[]; status: string }
    expect(status).toBe('delivered')
    expect(ids[1]).toBe(ids[0])
    expect(listed).toEqual([ids[0]])
  },
)

test('the types of the SDK check a program, and reject a wrong one', { timeout: 60_000 }, async () => {
  const text = `import { Carillon, verifyWebhook, type Message } from '@carillon/sdk'
const carillon = new Carillon({ baseUrl: 'https://example.com', apiKey: 'carillon_test_1' })
export const read = async (): Promise<Message['status']> => (await carillon.messages.get('1')).status
export const event = await verifyWebhook('whsec_AAAA', new Headers(), '')
if (event.type === 'message.failed') event.data.reason satisfies string | undefined
`
  const wrong = `${text}await carillon.messages.send({ to: 1 })\n`
  const options = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom'],
    types: [],
  }
  const compile = async (name: string, source: string) => {
    writeFileSync(join(projectFolder(), `${name}.ts`), source)
    writeFileSync(
      join(projectFolder(), `${name}.json`),
      JSON.stringify({ compilerOptions: options, files: [`${name}.ts`] }),
    )
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    return execute(process.execPath, [compiler, '-p', `${name}.json`], { cwd: projectFolder() })
  }
  await compile('right', text)
  await expect(compile('wrong', wrong)).rejects.toMatchObject({
    stdout: expect.stringContaining("'number' is not assignable to type 'string'"),
  })
})

test('the program sends', async () => {
  const { stdout } = await carillon(['send', '--to', '+919812300042', '--channel', 'sms', '--text', 'Hello', '--json'])
  const { id } = JSON.parse(stdout) as { id: string }
  const { stdout: listed } = await carillon(['tail', '--once', '--to', '+919812300042', '--json'])
  expect(JSON.parse(listed)).toMatchObject({ id, text: 'Hello' })
})

test(
  'the program listens: events of a test key are forwarded, signed, and verified by the SDK',
  { timeout: 60_000 },
  async () => {
    const received: { headers: object; body: string }[] = []
    const receiver = createServer((request, response) => {
      let body = ''
      request.on('data', (piece: Buffer) => (body += piece.toString()))
      request.on('end', () => {
        received.push({ headers: request.headers, body })
        response.writeHead(204).end()
      })
    })
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const address = receiver.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const args = ['listen', '--forward-to', `http://127.0.0.1:${port}/hook`, '--json', '--count', '3']
    const child = spawn(process.execPath, [program(), ...args], { cwd: projectFolder(), env: environmentOf('test') })
    const seen = { out: '', err: '' }
    child.stdout.on('data', (piece: Buffer) => (seen.out += piece.toString()))
    child.stderr.on('data', (piece: Buffer) => (seen.err += piece.toString()))
    const ended = once(child, 'close')
    try {
      await expect.poll(() => seen.err).toContain('whsec_')
      await carillon(['trigger', 'endpoint.test'], 'test')
      await carillon(['trigger', 'message.delivered'], 'test')
      expect(await ended).toEqual([0, null])
      const types = received.map(({ body }) => (JSON.parse(body) as { type: string }).type)
      expect(types.toSorted()).toEqual(['endpoint.test', 'message.delivered', 'message.sent'])
      const { secret } = JSON.parse(seen.err) as { secret: string }
      const verify = `${create}
for (const { headers, body } of ${JSON.stringify(received)}) console.log((await verifyWebhook(${JSON.stringify(secret)}, headers, body)).type)`
      expect((await runScript('verify.js', verify)).trim().split('\n')).toEqual(types)
      expect(seen.out + seen.err).not.toContain(keys.test)
    } finally {
      child.kill()
      receiver.close()
    }
  },
)

test('an agent lists the tools and sends', async () => {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${keys.live}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${stack.url}/mcp`), { requestInit }))
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('send_message')
  const message = { to: '+919812300043', channel: 'sms', text: 'Hello', dryRun: false }
  const { structuredContent } = await client.callTool({ name: 'send_message', arguments: message })
  const { id } = structuredContent as { id: string }
  const read = async () =>
    ((await client.callTool({ name: 'get_message', arguments: { id } })).structuredContent as { status: string }).status
  await expect.poll(read).toBe('delivered')
  await client.close()
})
