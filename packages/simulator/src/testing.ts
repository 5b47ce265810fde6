import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import smpp from 'smpp'

smpp.addTLV('dlt_entity_id', { id: 0x1400, type: smpp.types.tlv.cstring })
smpp.addTLV('dlt_template_id', { id: 0x1401, type: smpp.types.tlv.string })

/** PDU fields as parsed by node-smpp. */
export type Pdu = {
  command: string
  command_status: number
  message_id: string
  source_addr: string
  destination_addr: string
  esm_class: number
  data_coding: number
  short_message: { message: string | Buffer; udh?: Buffer[] }
  receipted_message_id?: string
  message_state?: number
  response(fields?: Record<string, unknown>): Pdu
}

export type Client = {
  request(command: string, fields?: Record<string, unknown>): Promise<Pdu>
  submit(to: string, fields?: Record<string, unknown>): Promise<Pdu>
  /** The next deliver_sm, responded to with `status`. */
  nextDelivery(): Promise<Pdu>
  deliveries: Pdu[]
  /** Number of enquire_link received. */
  enquiries(): number
  answerWith(status: number | 'nothing'): void
  closed: Promise<void>
  close(): Promise<void>
}

/** An SMPP client that shares no code with the SMSC. */
export async function connectClient(port: number, scheme = 'smpp'): Promise<Client> {
  const session = smpp.connect({
    url: `${scheme}://127.0.0.1:${port}`,
    auto_enquire_link_period: 0,
    rejectUnauthorized: false,
  })
  const deliveries: Pdu[] = []
  const waiters: ((pdu: Pdu) => void)[] = []
  let status: number | 'nothing' = 0
  let enquiries = 0
  const closed = new Promise<void>((resolve) => session.once('close', () => resolve()))
  session.on('error', () => session.destroy())
  session.on('deliver_sm', (pdu: Pdu) => {
    deliveries.push(pdu)
    if (status !== 'nothing') session.send(pdu.response({ command_status: status }))
    waiters.shift()?.(pdu)
  })
  session.on('enquire_link', (pdu: Pdu) => {
    enquiries += 1
    session.send(pdu.response())
  })
  await new Promise<void>((resolve) => session.once('connect', () => resolve()))

  let read = 0
  const request: Client['request'] = (command, fields = {}) =>
    new Promise((resolve) => session.send(new smpp.PDU(command, fields), resolve))
  return {
    request,
    submit: (to, fields) =>
      request('submit_sm', {
        source_addr: 'ACMESH',
        destination_addr: to,
        registered_delivery: 1,
        short_message: 'Order 7 is on its way',
        ...fields,
      }),
    async nextDelivery() {
      const known = deliveries[read]
      read += 1
      return known ?? new Promise((resolve) => waiters.push(resolve))
    },
    deliveries,
    enquiries: () => enquiries,
    answerWith(next) {
      status = next
    },
    closed,
    async close() {
      session.destroy()
      await closed
    },
  }
}

export async function bindClient(port: number, fields: Record<string, unknown> = {}): Promise<Client> {
  const client = await connectClient(port)
  const answer = await client.request('bind_transceiver', {
    system_id: 'carillon',
    password: 'simulator',
    interface_version: 0x34,
    ...fields,
  })
  if (answer.command_status !== 0) throw new Error(`Bind refused with ${answer.command_status}`)
  return client
}

export type Call = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
}

/** A callback receiver: stores every call and responds as configured. */
export async function startListener(
  answer: (call: Call, count: number) => { status: number; body?: string } = () => ({ status: 204 }),
) {
  const calls: Call[] = []
  const waiters: (() => void)[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://listener')
      const call = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body,
      }
      calls.push(call)
      const said = answer(call, calls.length)
      response.writeHead(said.status).end(said.body)
      for (const wake of waiters.splice(0)) wake()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    async waitFor(count: number) {
      while (calls.length < count) await new Promise<void>((resolve) => waiters.push(resolve))
      return calls
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
