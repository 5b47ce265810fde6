import type { EgressAnswer, EgressRequest } from '../../../egress/egress.ts'
import type { ProviderCallIo } from '../../provider.ts'
import type { DotgoConfig } from './config.ts'
import { dropToken, getToken, type Credentials } from './tokens.ts'

/** A request without its credentials. */
export type DotgoRequest = Pick<EgressRequest, 'method' | 'url' | 'body'> & { contentType?: string }
export type DotgoApi = (request: DotgoRequest) => Promise<EgressAnswer>

export function credentialsOf(config: DotgoConfig, role: 'bot' | 'admin'): Credentials {
  const { authUrl, clientId, clientSecret, adminId, adminSecret } = config
  return role === 'bot'
    ? { authUrl, clientId, clientSecret }
    : { authUrl, clientId: adminId, clientSecret: adminSecret }
}

/** Requests with the credentials of a role; a refused token is requested again once. */
export function openApi(config: DotgoConfig, role: 'bot' | 'admin', io: ProviderCallIo): DotgoApi {
  const credentials = credentialsOf(config, role)
  return async (request) => {
    const token = await getToken(credentials, io)
    const answer = await ask(token, request)
    if (answer.status !== 401) return answer
    await dropToken(credentials, token)
    return ask(await getToken(credentials, io), request)
  }

  async function ask(token: string, { method, url, body, contentType }: DotgoRequest) {
    return io.egress.request({
      method,
      url,
      headers: {
        authorization: `Bearer ${token}`,
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
      },
      ...(body === undefined ? {} : { body }),
      timeoutMs: config.timeoutSeconds * 1000,
      maximumBytes: 5 * 1024 * 1024,
    })
  }
}
