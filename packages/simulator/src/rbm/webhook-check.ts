import { randomBytes } from 'node:crypto'
import { request } from 'undici'
import type { Webhook } from './objects.ts'
import { RbmError } from './rbm-error.ts'
import { isRow } from './reading.ts'

/** Google's validation: the webhook must know the client token and return the secret. */
export async function verifyWebhook({ url, clientToken }: Webhook) {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw failed('the URL is not valid')
  const secret = randomBytes(24).toString('base64url')
  let status: number
  let text: string
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ clientToken, secret }),
      headersTimeout: 10_000,
      bodyTimeout: 10_000,
    })
    status = answer.statusCode
    text = await answer.body.text()
  } catch {
    throw failed('the URL could not be reached')
  }
  if (status !== 200) throw failed(`the status of the response is ${status}`)
  if (!returnsSecret(text.trim(), secret)) throw failed('the response does not return the secret')
}

/** Google's pages and samples differ: the value, `secret: <value>`, or JSON. */
function returnsSecret(text: string, secret: string): boolean {
  if (text === secret || text === `secret: ${secret}`) return true
  try {
    const value: unknown = JSON.parse(text)
    return value === secret || (isRow(value) && value.secret === secret)
  } catch {
    return false
  }
}

function failed(why: string): RbmError {
  return new RbmError('INVALID_ARGUMENT', `The webhook could not be verified: ${why}`, 'webhookUri')
}
