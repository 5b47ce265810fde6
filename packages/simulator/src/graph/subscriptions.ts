import { request } from 'undici'
import type { Call } from './graph.ts'
import { GraphError } from './graph-error.ts'
import type { Override, Waba } from './objects.ts'
import { readText } from './reading.ts'

/** `POST /{waba_id}/subscribed_apps`: subscribes the token's app to this WABA. */
export async function subscribe({ graph, token, body }: Call, waba: Waba) {
  const url = readText(body, 'override_callback_uri')
  const verifyToken = readText(body, 'verify_token')
  if (url !== undefined && verifyToken === undefined)
    throw new GraphError(100, { message: '(#100) verify_token is required with override_callback_uri' })
  const override = url === undefined ? undefined : { url, verifyToken: verifyToken ?? '' }
  if (override) await verifyCallback(override)
  if (!graph.meta.apps.has(token.appId)) throw new GraphError(100)
  waba.subscriptions.set(token.appId, { override })
  return { success: true }
}

export function readSubscriptions({ graph }: Call, waba: Waba) {
  const data = [...waba.subscriptions].map(([appId, { override }]) => {
    const app = graph.meta.apps.get(appId)
    return {
      whatsapp_business_api_data: {
        id: appId,
        name: app?.name,
        link: `https://www.facebook.com/games/?app_id=${appId}`,
      },
      ...(override ? { override_callback_uri: override.url } : {}),
    }
  })
  return { data }
}

export function unsubscribe({ token }: Call, waba: Waba) {
  waba.subscriptions.delete(token.appId)
  return { success: true }
}

/** Requires the callback to return the challenge; any other response rejects the address. */
export async function verifyCallback({ url, verifyToken }: Override) {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new GraphError(100, { message: '(#100) callback URL is not a valid address' })
  const challenge = String(Math.floor(Math.random() * 2 ** 31))
  const asked = new URL(url)
  asked.searchParams.set('hub.mode', 'subscribe')
  asked.searchParams.set('hub.challenge', challenge)
  asked.searchParams.set('hub.verify_token', verifyToken)
  const failed = (why: string) =>
    new GraphError(2200, {
      message: `(#2200) Callback verification failed with the following errors: ${why}. HTTP requests to the callback URL must be answered with the challenge.`,
    })
  let status: number
  let said: string
  try {
    const answer = await request(asked, { headersTimeout: 10_000, bodyTimeout: 10_000 })
    status = answer.statusCode
    said = await answer.body.text()
  } catch {
    throw failed('The URL could not be reached')
  }
  if (status !== 200) throw failed(`HTTP Status Code = ${status}`)
  if (said !== challenge) throw failed('The challenge does not match')
}
