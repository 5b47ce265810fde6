import { endpoints, type Endpoint, type EndpointName } from '@carillon/contract'
import type { Refusal } from '@carillon/contract/errors'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { issueMessage } from '../../lib/issue-message.ts'
import type { Tool } from './tools.ts'

type Arguments = Record<string, unknown>

/** The caller's headers that the call needs: its key, and what proxies add. */
const passedHeaders = [
  'authorization',
  'user-agent',
  'host',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
]

/**
 * Makes the call of a tool as an HTTP request to this server that does not leave the process, so that nothing which applies to
 * other requests can be left out here.
 */
export async function callTool(
  app: FastifyInstance,
  request: FastifyRequest,
  { tool, given }: { tool: Tool; given: Arguments },
): Promise<CallToolResult> {
  const read = readArguments(tool, given)
  if ('problem' in read) return failed(read.problem)
  const { call, parts, key, isDryRun } = read
  const endpoint: Endpoint = endpoints[call]
  const url = urlOf(endpoint, parts)
  if ('problem' in url) return failed(url.problem)

  const { statusCode, headers, payload } = await app.inject({
    // A route is always a method, a space and a path.
    method: endpoint.route.split(' ')[0] as 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: url.path,
    headers: { ...headersOf(request), ...(key === undefined ? {} : { 'idempotency-key': key }) },
    remoteAddress: request.socket.remoteAddress ?? '',
    ...(endpoint.body ? { payload: parts.body } : {}),
  })
  // The contract's calls answer JSON.
  const body = JSON.parse(payload) as { success: true; message: string; data?: object } | Refusal
  if (!body.success) return refused(body, headers['retry-after'])
  if (statusCode !== 200) throw new Error(`A call answered ${statusCode} and success`)
  return succeeded(endpoint, body, isDryRun)
}

type Problem = { problem: string }
type Read = { call: EndpointName; parts: Parts; key: string | undefined; isDryRun: boolean }

/** Separates what belongs to the tool from the input of its call. */
function readArguments(tool: Tool, given: Arguments): Read | Problem {
  const fields = { ...given }
  const { dryRun = true, idempotencyKey: key } = fields
  if (tool.dryRun !== undefined) delete fields['dryRun']
  if (!tool.isRead) delete fields['idempotencyKey']
  if (typeof dryRun !== 'boolean') return { problem: 'dryRun is true or false' }
  if (key !== undefined && typeof key !== 'string') return { problem: 'idempotencyKey is a text' }
  const parts = splitArguments(tool, fields)
  if ('problem' in parts) return parts
  // A dry run has no effect that a key would have to protect.
  return tool.dryRun !== undefined && dryRun
    ? { call: tool.dryRun, parts, key: undefined, isDryRun: true }
    : { call: tool.call, parts, key, isDryRun: false }
}

type Parts = Record<'path' | 'query' | 'body', Arguments>

function splitArguments({ places }: Tool, given: Arguments): Parts | Problem {
  const parts: Parts = { path: {}, query: {}, body: {} }
  for (const [field, value] of Object.entries(given)) {
    const place = places.get(field)
    if (!place) return { problem: `${field} is not an argument of this tool` }
    parts[place][field] = value
  }
  return parts
}

/** Checks what belongs in the path, because a wrong path is another call. The call itself checks the rest. */
function urlOf({ route, path: schema }: Endpoint, { path, query }: Parts): { path: string } | Problem {
  const checked = schema?.safeParse(path, { error: issueMessage })
  if (checked?.error) {
    const [issue] = checked.error.issues
    return { problem: `${issue?.path.join('.')}: ${issue?.message}` }
  }
  const written = (route.split(' ')[1] ?? '').replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(path[name])),
  )
  const fields = Object.entries(query).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return { path: fields.length === 0 ? written : `${written}?${new URLSearchParams(fields)}` }
}

function headersOf({ headers }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    passedHeaders.flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]]
    }),
  )
}

function succeeded(
  { top }: Endpoint,
  body: { success: true; message: string; data?: object },
  isDryRun: boolean,
): CallToolResult {
  const { success: _, message: __, data, ...fields } = body
  const answer = top ? fields : { ...data }
  const note = {
    type: 'text' as const,
    text: 'This was a dry run: nothing was sent or charged. To send it, call again with dryRun: false.',
  }
  return {
    content: [...(isDryRun ? [note] : []), { type: 'text', text: JSON.stringify(answer) }],
    structuredContent: { ...answer, ...(isDryRun ? { dryRun: true } : {}) },
  }
}

function refused({ code, message, details = [] }: Refusal, retryAfter: unknown): CallToolResult {
  const lines = [
    `${message} (${code})`,
    ...details.map(({ field, message: why }) => `${field}: ${why}`),
    ...(typeof retryAfter === 'string' ? [`Try again in ${retryAfter} seconds`] : []),
  ]
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    structuredContent: { code, message, details },
    isError: true,
  }
}

function failed(message: string): CallToolResult {
  return refused({ success: false, code: 'bad_request', message }, undefined)
}
