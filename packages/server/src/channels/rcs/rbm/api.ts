import type { EgressAnswer } from '../../../egress/egress.ts'
import { Refusal } from '../../management.ts'
import type { ProviderCallIo } from '../../provider.ts'
import { messagingUrl, RcsPartner, rbmScopes, rcsPartnerKey } from '../partner.ts'
import type { RbmConfig } from './config.ts'
import { dropAccessToken, getAccessToken } from './google-tokens.ts'
import type { RbmRequest } from './request.ts'

/** Requests of one bot to the messaging API, with the token of the installation’s partner account. */
export type RbmApi = (request: RbmRequest) => Promise<EgressAnswer>

export function openApi(config: Pick<RbmConfig, 'region' | 'timeoutSeconds'>, io: ProviderCallIo): RbmApi {
  return async (request) => {
    const partner = await readPartner(io)
    const token = await getAccessToken(partner.serviceAccount, rbmScopes.messaging, io)
    const answer = await ask(token)
    if (answer.status !== 401) return answer
    // It may have been withdrawn before its end. A second refusal is final.
    await dropAccessToken(partner.serviceAccount, rbmScopes.messaging, token)
    return ask(await getAccessToken(partner.serviceAccount, rbmScopes.messaging, io))

    async function ask(bearer: string) {
      const { method, path, query, json } = request
      return io.egress.request({
        method,
        url: `${messagingUrl(partner, config.region)}/v1/${path}?${new URLSearchParams(query)}`,
        headers: { authorization: `Bearer ${bearer}`, ...(json ? { 'content-type': 'application/json' } : {}) },
        ...(json ? { body: JSON.stringify(json) } : {}),
        timeoutMs: config.timeoutSeconds * 1000,
        maximumBytes: 1024 * 1024,
      })
    }
  }
}

/** Throws a `Refusal` if the installation has no partner account. */
async function readPartner({ readInstallationSettings }: ProviderCallIo): Promise<RcsPartner> {
  const { data } = RcsPartner.safeParse(await readInstallationSettings(rcsPartnerKey))
  if (data) return data
  throw new Refusal('This installation has no partner account with Google: its administrator enters the key file', {
    code: 'no_partner',
    kind: 'credentials',
  })
}
