import { parseList } from './field-list.ts'
import type { Call } from './graph.ts'
import { GraphError } from './graph-error.ts'
import { webhookFields } from './meta.ts'
import type { App } from './objects.ts'
import { needText, toText } from './reading.ts'
import { verifyCallback } from './subscriptions.ts'

const subject = 'whatsapp_business_account'

/** `POST /{app_id}/subscriptions`: sets the app webhook; needs the app token. */
export async function subscribeApp({ body, token }: Call, app: App) {
  if (!token.isOfApp)
    throw new GraphError(15, { message: '(#15) This method must be called with an app access_token.' })
  if (body.object !== subject) throw new GraphError(100, { message: `(#100) Param object must be ${subject}` })
  const url = needText(body, 'callback_url')
  const verifyToken = needText(body, 'verify_token')
  const fields = Array.isArray(body.fields) ? body.fields.map(toText) : parseList(toText(body.fields))
  const unknown = fields.find((field) => !webhookFields.some((each) => each === field))
  if (unknown !== undefined) throw new GraphError(100, { message: `(#100) Param fields: there is no field ${unknown}` })
  await verifyCallback({ url, verifyToken })
  Object.assign(app, { callbackUrl: url, verifyToken, fields: new Set(fields.length > 0 ? fields : webhookFields) })
  return { success: true }
}

export function readAppSubscriptions(_call: Call, app: App) {
  if (app.callbackUrl === undefined) return { data: [] }
  const fields = [...app.fields].map((name) => ({ name, version: 'v25.0' }))
  return { data: [{ object: subject, callback_url: app.callbackUrl, active: true, fields }] }
}
