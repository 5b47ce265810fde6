import { Refusal, type SignUp, type SignUpApp } from '../../management.ts'
import type { ProviderIo } from '../../provider.ts'
import { describeToken, targetsOf } from './account.ts'
import { standardGraphUrl, standardGraphVersion } from './config.ts'
import { openGraph } from './graph.ts'
import { stringOf } from '../../read-json.ts'

/** Embedded sign-up: the browser's code is exchanged immediately, since it expires after half a minute. */
export function openSignUp(
  { appId, appSecret, apiUrl: graphUrl = standardGraphUrl, apiVersion: graphVersion = standardGraphVersion }: SignUpApp,
  { egress }: Pick<ProviderIo, 'egress'>,
): SignUp {
  const appToken = `${appId}|${appSecret}`
  const graph = openGraph({ graphUrl, graphVersion, accessToken: appToken, timeoutSeconds: 20 }, egress)
  return {
    async exchangeCode(code) {
      const query = { client_id: appId, client_secret: appSecret, code }
      const accessToken = stringOf((await graph({ path: 'oauth/access_token', query, token: '' }))['access_token'])
      if (accessToken !== undefined) return { accessToken }
      throw new Refusal('Meta returned no token for this sign-up: sign up again', { code: 'no_token', kind: 'other' })
    },
    async accountsOf(accessToken) {
      const data = await describeToken(graph, { token: accessToken, appToken })
      const scopes = ['whatsapp_business_management', 'whatsapp_business_messaging']
      return [...new Set(scopes.flatMap((scope) => targetsOf(data, scope) ?? []))]
    },
  }
}
