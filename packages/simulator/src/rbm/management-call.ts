import type { Agent, Brand, Row } from './objects.ts'
import type { Rbm } from './rbm.ts'
import { RbmError } from './rbm-error.ts'

/** An authenticated call of the management API. */
export type ManagementCall = { rbm: Rbm; query: Record<string, string>; body: Row }

export type ManagementRoute = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: RegExp
  /** Receives the groups of the path. */
  answer: (call: ManagementCall, parts: string[]) => unknown
}

export function notFound(message: string): RbmError {
  return new RbmError('NOT_FOUND', message)
}

export function needBrand({ rbm }: ManagementCall, id: string): Brand {
  const brand = rbm.directory.brands.get(id)
  if (!brand) throw notFound(`There is no brand brands/${id}`)
  return brand
}

/** `-` stands for any brand. */
export function needAgent({ rbm }: ManagementCall, brandId: string, id: string): Agent {
  const agent = rbm.directory.findAgent(id)
  if (agent?.platform !== 'google' || (brandId !== '-' && agent.brandId !== brandId))
    throw notFound(`There is no agent brands/${brandId}/agents/${id}`)
  return agent
}

export function agentNameOf({ brandId, id }: Agent): string {
  return `brands/${brandId}/agents/${id}`
}
