import type { Probe, ProviderCallIo, SessionState } from '../../provider.ts'
import type { SmppConfig } from './config.ts'
import { openSession } from './session.ts'

const patienceMs = 10_000
const unbindMs = 1_000

/**
 * Binds once with the account's settings and unbinds. Messages that the operator delivers meanwhile are refused with a request
 * to retry.
 */
export function probe(config: SmppConfig, io: ProviderCallIo): Promise<Probe> {
  const place = `${config.host}:${config.port}`
  return new Promise((resolve) => {
    const session = openSession(
      { ...config, sessions: 1 },
      { ...io, callbackUrl: '', onEvents: () => Promise.reject(new Error('Test bind closed')), onState: handleState },
    )
    const timer = setTimeout(
      () => finish({ isConnected: false, code: 'timeout', message: `${place} did not respond within 10 seconds` }),
      patienceMs,
    )

    function handleState({ binds, lastError }: SessionState) {
      if (binds.every(({ status }) => status === 'bound')) return finish({ isConnected: true })
      if (lastError) finish({ isConnected: false, code: lastError.code, message: describeError(lastError, place) })
      return undefined
    }

    function finish(found: Probe) {
      clearTimeout(timer)
      session.close(unbindMs).then(
        () => resolve(found),
        () => resolve(found),
      )
    }
  })
}

/** Connection errors name host and port; errors of the operator are shown as received. */
function describeError({ message, code }: NonNullable<SessionState['lastError']>, place: string): string {
  if (code !== 'connection_lost') return message
  if (message.includes('ECONNREFUSED')) return `${place} refused the connection: check host and port`
  if (message.includes('ENOTFOUND')) return `Unknown host in ${place}`
  return `${place} could not be reached: ${message}`
}
