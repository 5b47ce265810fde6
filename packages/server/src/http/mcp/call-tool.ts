import { endpoints, type Endpoint } from '@carillon/contract'
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
  const { dryRun = true, idempotencyKey, ...fields } = given
  if (typeof dryRun !== 'boolean') return failed('dryRun is true or false')
  const isDryRun = tool.dryRun !== undefined && dryRun
  const endpoint: Endpoint = endpoints[isDryRun && tool.dryRun ? tool.dryRun : tool.call]
  const parts = splitArguments(tool, {
    ...fields,
    ...(tool.dryRun === undefined && 'dryRun' in given ? { dryRun } : {}),
  })
  if (typeof parts === 'string') return failed(parts)
  const url = urlOf(endpoint, parts)
  if ('problem' in url) return failed(url.problem)

  const { statusCode, headers, payload } = await app.inject({
    // A route is always a method, a space and a path.
    method: endpoint.route.split(' ')[0] as 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: url.path,
    headers: {
      ...headersOf(request),
      ...(typeof idempotencyKey === 'string' ? { 'idempotency-key': idempotencyKey } : {}),
    },
    remoteAddress: request.socket.remoteAddress ?? '',
    ...(endpoint.body ? { payload: parts.body } : {}),
  })
  // The contract's calls answer JSON.
  const body = JSON.parse(payload) as { success: true; message: string; data?: object } | Refusal
  if (!body.success) return refused(body, headers['retry-after'])
  if (statusCode !== 200) throw new Error(`A call answered ${statusCode} and success`)
  return succeeded(endpoint, body, isDryRun)
}

type Parts = Record<'path' | 'query' | 'body', Arguments>

/** The parts of a call, or what is wrong. */
function splitArguments({ places, isRead }: Tool, given: Arguments): Parts | string {
  const parts: Parts = { path: {}, query: {}, body: {} }
  for (const [field, value] of Object.entries(given)) {
    const place = places.get(field)
    if (!place) return `${field} is not an argument of this tool`
    parts[place][field] = value
  }
  return isRead && 'idempotencyKey' in given ? 'Reads need no idempotencyKey' : parts
}

/** Checks what belongs in the path, because a wrong path is another call. The call itself checks the rest. */
function urlOf({ route, path: schema }: Endpoint, { path, query }: Parts): { path: string } | { problem: string } {
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
  { success: _, message: __, data, ...fields }: { success: true; message: string; data?: object },
  isDryRun: boolean,
): CallToolResult {
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
