import { truncate } from '@carillon/contract/text'
import type { FastifyRequest } from 'fastify'
import { normalizeAddress } from '../lib/client-address.ts'

/** Origin of a request, as reported by trusted proxies. */
export type Client = {
  ip: string
  userAgent: string
  /** The requested host name, without port. */
  host: string
}

export function clientOf(request: FastifyRequest): Client {
  return {
    ip: addressOf(request),
    userAgent: truncate(request.headers['user-agent'] ?? '', 300),
    host: request.hostname.toLowerCase(),
  }
}

/** If a proxy sends something other than an address, the proxy's own address is used. */
export function addressOf(request: FastifyRequest): string {
  return normalizeAddress(request.ip) ?? normalizeAddress(request.socket.remoteAddress ?? '') ?? '0.0.0.0'
}

/** The token of `Authorization: Bearer`. */
export function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}
