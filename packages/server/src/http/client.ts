import { truncate } from '@carillon/contract/text'
import type { FastifyRequest } from 'fastify'
import { normalizeAddress } from '../lib/client-address.ts'

/** Who sent a request, as far as the trusted proxies tell. */
export type Client = {
  ip: string
  userAgent: string
  /** The requested host name, without its port. */
  host: string
}

export function clientOf(request: FastifyRequest): Client {
  return {
    ip: addressOf(request),
    userAgent: truncate(request.headers['user-agent'] ?? '', 300),
    host: request.hostname.toLowerCase(),
  }
}

/** Where a proxy writes something else than an address, its own address counts. */
export function addressOf(request: FastifyRequest): string {
  return normalizeAddress(request.ip) ?? normalizeAddress(request.socket.remoteAddress ?? '') ?? '0.0.0.0'
}
