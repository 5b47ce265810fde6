import type { FastifyRequest } from 'fastify'
import type { Account } from '../accounts.ts'
import type { Simulation } from '../simulation.ts'

export type Fields = Record<string, string>

/** Query and form or JSON body together, every value as text: the old gateways accept a parameter anywhere. */
export function readFields(request: FastifyRequest): Fields {
  const fields: Fields = {}
  for (const source of [request.query, request.body]) {
    if (typeof source !== 'object' || source === null) continue
    for (const [name, value] of Object.entries(source))
      if (value !== undefined && value !== null)
        fields[name] = typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  return fields
}

export function basicAccount(simulation: Simulation, request: FastifyRequest): Account | undefined {
  const { authorization } = request.headers
  const [scheme, credentials = ''] = authorization?.split(' ') ?? []
  if (scheme?.toLowerCase() === 'bearer') return simulation.accounts.findByKey(credentials)
  if (scheme?.toLowerCase() !== 'basic') return undefined
  const decoded = Buffer.from(credentials, 'base64').toString()
  const colon = decoded.indexOf(':')
  return simulation.accounts.signIn(decoded.slice(0, colon), decoded.slice(colon + 1))
}
