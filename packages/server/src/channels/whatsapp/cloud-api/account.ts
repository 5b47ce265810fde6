import { Refusal, type AccountAccess } from '../../management.ts'
import type { CloudApiConfig } from './config.ts'
import type { Graph } from './graph.ts'
import { rowOf, rowsOf, stringOf, type Row } from '../../read-json.ts'
import { numberOf } from './json.ts'

const needed = ['whatsapp_business_messaging', 'whatsapp_business_management'] as const

const accountFields = {
  timezone_id: 'timezone',
  account_review_status: 'review',
  business_verification_status: 'verification',
  country: 'country',
  status: 'status',
  message_template_namespace: 'templateNamespace',
} as const

export function accountCalls(graph: Graph, config: CloudApiConfig): Required<AccountAccess> {
  const { wabaId } = config
  return {
    check: () => checkAccess(graph, config),
    async describe() {
      const fields = ['id', 'name', 'currency', ...Object.keys(accountFields)].join(',')
      const row = await graph({ path: wabaId, query: { fields } })
      const facts = Object.entries(accountFields).flatMap(([field, name]) => {
        const value = stringOf(row[field])
        return value === undefined ? [] : [[name, value] as const]
      })
      return {
        name: stringOf(row['name']) ?? `WhatsApp ${wabaId}`,
        currency: stringOf(row['currency']) ?? '',
        facts: Object.fromEntries(facts),
      }
    },
    async subscribe({ url, verifyToken }) {
      const json = { override_callback_uri: url, verify_token: verifyToken }
      await graph({ method: 'POST', path: `${wabaId}/subscribed_apps`, json })
    },
    async unsubscribe() {
      await graph({ method: 'DELETE', path: `${wabaId}/subscribed_apps` })
    },
  }
}

/** Inspects the token as the app that issued it: only that app signs callbacks with the stored secret. */
async function checkAccess(
  graph: Graph,
  { appId, appSecret, accessToken, wabaId }: CloudApiConfig,
): Promise<{ missing: string[]; expiresAt: Date | null }> {
  if (appSecret === '') throw credentials('Enter the app secret: it is needed to verify callbacks from Meta')
  const data = await describeToken(graph, { token: accessToken, appToken: `${appId}|${appSecret}` })
  if (data['is_valid'] !== true) {
    const message = stringOf(rowOf(data['error'])['message'])
    throw credentials(`The token is no longer valid${message === undefined ? '' : `: ${message}`}`)
  }
  const madeFor = stringOf(data['app_id'])
  if (madeFor !== undefined && madeFor !== appId)
    throw credentials(`The token belongs to the app ${madeFor}, not to ${appId}: its callbacks have another signature`)
  const scopes = Array.isArray(data['scopes']) ? data['scopes'] : []
  const missing = needed.filter((scope) => !scopes.includes(scope))
  const uncovered = needed.find((scope) => !missing.includes(scope) && !covers(data, scope, wabaId))
  if (uncovered)
    throw credentials(`The token has no access to the account ${wabaId}: assign it to the token’s system user`)
  const expiresAt = numberOf(data['expires_at'])
  return { missing, expiresAt: expiresAt > 0 ? new Date(expiresAt * 1000) : null }
}

export async function describeToken(
  graph: Graph,
  { token, appToken }: { token: string; appToken: string },
): Promise<Row> {
  const answer = await graph({ path: 'debug_token', query: { input_token: token }, token: appToken })
  return rowOf(answer['data'])
}

/** The objects that a permission is limited to; undefined if it is unlimited. */
export function targetsOf(data: Row, scope: string): string[] | undefined {
  const granted = rowsOf(data['granular_scopes']).find((each) => each['scope'] === scope)
  const targets = granted?.['target_ids']
  return Array.isArray(targets) ? targets.flatMap((target) => stringOf(target) ?? []) : undefined
}

function covers(data: Row, scope: string, wabaId: string): boolean {
  const targets = targetsOf(data, scope)
  return targets === undefined || targets.includes(wabaId)
}

function credentials(message: string): Refusal {
  return new Refusal(message, { code: '190', kind: 'credentials' })
}
