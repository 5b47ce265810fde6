import { createServer, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEgress, type Egress, type EgressDestination, type EgressError, type EgressRequest } from './egress.ts'

let inside: Server
let port: number
let asked: string[] = []
/** Allows nothing private. */
let closed: Egress
/** Allows the one local server, like a configured gateway. */
let open: Egress

beforeAll(async () => {
  inside = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/redirect') response.writeHead(302, { location: `http://127.0.0.1:${port}/secret` }).end()
    else if (request.url === '/large') response.end('x'.repeat(2000))
    else if (request.url === '/trickle') {
      const trickle = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(trickle))
    } else if (request.url === '/hang') request.resume()
    else response.end('inside')
  })
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
  port = portOf(inside)
  closed = createEgress({ allowedPrivate: [], allowedPorts: [port], connections: 4 })
  open = createEgress({ allowedPrivate: [`127.0.0.1:${port}`], allowedPorts: [], connections: 4 })
})
afterAll(async () => {
  await closed.close()
  await open.close()
  inside.closeAllConnections()
  inside.close()
})

function portOf(server: Server): number {
  // A server that listens on a TCP port has an AddressInfo.
  return (server.address() as AddressInfo).port
}

/** Requests a URL; `0` stands for the port of the local server. */
async function attempt(
  egress: Egress,
  address: string,
  more: Partial<EgressRequest> = {},
): Promise<string | EgressError> {
  const url = address.replace(/:0(?=\/|$)/, `:${port}`)
  return egress.request({ method: 'GET', url, timeoutMs: 2000, ...more }).then(
    ({ status }) => `answered ${status}`,
    (error: EgressError) => error,
  )
}

const refused = { name: 'EgressError', code: 'EGRESS_REFUSED', sent: false }

const loopback = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '0x7f.0x0.0x0.0x1',
  '127.0.0.1.',
  '%31%32%37.0.0.1',
  '127。0。0。1',
  '①②⑦.0.0.1',
  '0.0.0.0',
  '0',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[0000::0001]',
  'localhost',
  'LOCALHOST',
]
const mapped = [
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
  '[::ffff:0:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::]',
  '[2001:0:7f00:1::]',
  '[::ffff:169.254.169.254]',
  '[::ffff:10.0.0.1]',
]
const networks = [
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  '0x0a000001',
  '167772161',
  '100.64.0.1',
  '100.127.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '[fc00::1]',
  '[fd12:3456:789a::1]',
  '[fec0::1]',
  '[2001:db8::1]',
]
const metadata = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.0.1',
  '2852039166',
  '0xa9fea9fe',
  '[fe80::1]',
  '[fe80::a9fe:a9fe]',
  '[fd00:ec2::254]',
  '100.100.100.200',
  '192.0.0.192',
]
const everybody = ['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '[ff02::1]', '[ff05::2]', '[100::1]']

describe('rejects addresses that are not public before anything is sent', () => {
  test.each([...loopback, ...mapped, ...networks, ...metadata, ...everybody])('%s', async (host) => {
    expect(await attempt(closed, `http://${host}:0/secret`)).toMatchObject(refused)
    expect(await attempt(closed, `https://${host}/secret`)).toMatchObject(refused)
  })

  test('the local server got no request', () => {
    expect(asked).toEqual([])
  })
})

test.each([
  ['another scheme', 'ftp://example.com/'],
  ['a file', 'file:///etc/passwd'],
  ['a script', 'javascript:alert(1)'],
  ['data', 'data:text/plain,hello'],
  ['gopher', 'gopher://127.0.0.1:25/_HELO'],
  ['a user name', 'http://admin@example.com/'],
  ['a password', 'http://admin:secret@example.com/'],
  ['no host', 'http:///'],
  ['no address at all', 'not an address'],
  ['nothing', ''],
])('%s is rejected', async (_, url) => {
  expect(await attempt(closed, url)).toMatchObject(refused)
})

test.each([22, 25, 3306, 5432, 6379, 8080, 9200, 11211])('port %d of a public host is rejected', async (forbidden) => {
  expect(await attempt(closed, `http://93.184.216.34:${forbidden}/`)).toMatchObject({
    ...refused,
    message: `Port ${forbidden} cannot be called`,
  })
})

test('only the allowed pair can be reached', async () => {
  expect(await attempt(open, 'http://127.0.0.1:0/')).toBe('answered 200')
  expect(await attempt(open, 'http://127.0.0.1/')).toMatchObject(refused)
  expect(await attempt(open, 'http://127.0.0.2:0/')).toMatchObject(refused)
  expect(await attempt(open, 'http://localhost:0/')).toMatchObject(refused)
})

/** Result of a raw connection: open, or its error. */
async function attemptToConnect(egress: Egress, host: string, more: Partial<EgressDestination> = {}) {
  const socket = egress.connect({ host, port, tls: false, rejectUnauthorized: true, ...more })
  return new Promise<string | Error>((resolve) => {
    socket.once('connect', () => resolve('open'))
    socket.once('error', resolve)
  }).finally(() => socket.destroy())
}

describe('rejects raw connections to addresses that are not public', () => {
  // Percent signs, full-width digits and a trailing dot are special only in URLs; here they are not valid names.
  const hosts = [...loopback, ...mapped, ...networks, ...metadata, ...everybody].filter((host) =>
    /^[\w.:[\]-]+[^.]$|^0$/.test(host),
  )
  test.each(hosts.map((host) => host.replaceAll(/[[\]]/g, '')))('%s', async (host) => {
    for (const tls of [false, true]) expect(await attemptToConnect(closed, host, { tls })).toMatchObject(refused)
  })

  test('the error names the setting', async () => {
    expect(await attemptToConnect(closed, '10.0.0.1', { port: 2775 })).toMatchObject({
      message: '10.0.0.1 is not a public address; the operator of the server can allow it with EGRESS_ALLOW',
    })
  })

  test.each([
    ['127.0.0.1', 0, 'open'],
    ['127.0.0.1', 1, refused],
    ['127.0.0.2', 0, refused],
    ['localhost', 0, refused],
    ['127.1', 0, refused],
  ])('except for the allowed pair: %s, port + %d', async (host, add, outcome) => {
    const got = await attemptToConnect(open, host, { port: port + add })
    if (typeof outcome === 'string') expect(got).toBe(outcome)
    else expect(got).toMatchObject(outcome)
  })
})

test('an allowed name may resolve to a private address', async () => {
  const named = createEgress({ allowedPrivate: [`localhost:${port}`], allowedPorts: [], connections: 1 })
  expect(await attemptToConnect(named, 'LOCALHOST')).toBe('open')
  await named.close()
})

test('redirects are returned, never followed', async () => {
  asked = []
  expect(await attempt(open, 'http://127.0.0.1:0/redirect')).toBe('answered 302')
  expect(asked).toEqual(['/redirect'])
})

test('a response that is too large is cut off, and the request counts as sent', async () => {
  expect(await attempt(open, 'http://127.0.0.1:0/large', { maximumBytes: 1000 })).toMatchObject({
    code: 'ANSWER_TOO_LARGE',
    sent: true,
  })
})

test('the beginning of a response that is too large can be kept', async () => {
  const keep = (keepBytes: number) =>
    open.request({ method: 'GET', url: `http://127.0.0.1:${port}/large`, timeoutMs: 2000, keepBytes })
  expect((await keep(1000)).body).toBe('x'.repeat(1000))
  expect((await keep(3000)).body).toBe('x'.repeat(2000))
})

test('a response that trickles ends with the limit of the whole exchange', async () => {
  const trickling = { timeoutMs: 2000, wholeMs: 100 }
  expect(await attempt(open, 'http://127.0.0.1:0/trickle', trickling)).toMatchObject({ sent: true })
})

describe('checks a URL before it is stored', () => {
  const check = (egress: Egress, url: string) =>
    egress.checkUrl(url).then(
      () => 'usable',
      (error: EgressError) => error,
    )

  test.each([
    'http://93.184.216.34/',
    'https://10.0.0.1/',
    'https://127.1/',
    'https://localhost/',
    'https://93.184.216.34:22/',
    'https://user@93.184.216.34/',
    'ftp://93.184.216.34/',
    'not a URL',
  ])('%s is rejected', async (url) => {
    expect(await check(closed, url)).toMatchObject(refused)
  })

  test('a public address and an allowed private pair are usable, the latter without TLS', async () => {
    expect(await check(closed, 'https://93.184.216.34/hook')).toBe('usable')
    expect(await check(open, `http://127.0.0.1:${port}/hook`)).toBe('usable')
  })

  test('a name that does not exist is not usable', async () => {
    expect(await check(closed, 'https://hook.invalid/')).toMatchObject({ name: 'EgressError', sent: false })
  })
})

test('a timeout is not a rejection: the request may have been accepted', async () => {
  expect(await attempt(open, 'http://127.0.0.1:0/hang', { timeoutMs: 50 })).toMatchObject({ sent: true })
})

test('a closed port means not sent', async () => {
  const gone = createTcpServer()
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
  const { port: free } = gone.address() as AddressInfo
  await new Promise((resolve) => gone.close(resolve))
  const egress = createEgress({ allowedPrivate: [`127.0.0.1:${free}`], allowedPorts: [], connections: 1 })
  expect(await attempt(egress, `http://127.0.0.1:${free}/`)).toMatchObject({ code: 'ECONNREFUSED', sent: false })
  await egress.close()
})

test('a private address that is allowed later can be requested', async () => {
  const allowedPrivate: string[] = []
  const egress = createEgress({ allowedPrivate, allowedPorts: [], connections: 4 })
  expect(await attempt(egress, 'http://127.0.0.1:0/')).toMatchObject(refused)
  allowedPrivate.push(`127.0.0.1:${port}`)
  expect(await attempt(egress, 'http://127.0.0.1:0/')).toBe('answered 200')
  await egress.close()
})
