import type { FastifyReply } from 'fastify'
import type { Host } from './carriers.ts'
import type { Agent, Row } from './objects.ts'
import type { Rbm } from './rbm.ts'

/** An authenticated call about one agent and one phone. */
export type GoogleCall = {
  rbm: Rbm
  host: Host
  agent: Agent
  /** Digits. */
  number: string
  query: Record<string, string>
  body: Row
  /** Bytes of the body. */
  size: number
  reply: FastifyReply
}
