import pg from 'pg'
import { runEvery } from '../lib/background.ts'
import type { Logger } from '../lib/logger.ts'
import { connectTimeoutMs, keepAlive } from './pool.ts'

export type ListenOptions = {
  url: string
  channel: string
  logger: Logger
  /** Called for each notification, and after each connect, since earlier notifications were missed. */
  onWake(): void
}

const checkEveryMs = 2000

/** Listens to a channel on a dedicated connection, which is reopened when lost. */
export function listen({ url, channel, logger, onWake }: ListenOptions): { stop(): Promise<void> } {
  let client: pg.Client | undefined

  async function connectIfLost() {
    if (client) return
    const next = new pg.Client({
      connectionString: url,
      application_name: `carillon ${channel}`,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: connectTimeoutMs,
      ...keepAlive,
    })
    const forget = () => {
      if (client === next) client = undefined
    }
    next.on('error', forget)
    next.on('end', forget)
    next.on('notification', onWake)
    try {
      await next.connect()
      await next.query(`listen ${next.escapeIdentifier(channel)}`)
    } catch (error) {
      await next.end().catch(() => undefined)
      throw error
    }
    client = next
    onWake()
  }

  const connecting = runEvery(checkEveryMs, connectIfLost, { name: `listening to ${channel}`, logger })
  return {
    async stop() {
      await connecting.stop()
      // Not awaited: a server that is gone would never respond.
      client?.end().catch(() => undefined)
    },
  }
}
