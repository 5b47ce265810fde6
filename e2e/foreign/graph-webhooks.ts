import { createHmac } from 'node:crypto'

export type Status = { name: 'sent' | 'delivered' | 'read' | 'failed'; to: string; wamid: string; reference: string }

type Account = { wabaId: string; phoneNumberId: string; appSecret: string }

/** Meta's callbacks: signed, in batches, and repeated until they are answered with 200. */
export function createWebhooks(account: Account) {
  const waiting: Status[] = []
  let target: string | undefined
  let isPosting = false
  let isStopped = false

  async function post() {
    if (isPosting || isStopped || target === undefined || waiting.length === 0) return
    isPosting = true
    const batch = waiting.splice(0, 100)
    const isAccepted = await deliver(target, JSON.stringify(envelope(account, batch)), account.appSecret)
    if (!isAccepted) waiting.unshift(...batch)
    isPosting = false
  }
  const timer = setInterval(() => void post().catch(() => undefined), 50)

  return {
    /** Requests the challenge from the callback URL, as Meta does before it accepts the URL. */
    async subscribe({ url, verifyToken }: { url: string; verifyToken: string }): Promise<boolean> {
      const query = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444', 'hub.verify_token': verifyToken }
      const answer = await fetch(`${url}?${new URLSearchParams(query).toString()}`)
      if (answer.status !== 200 || (await answer.text()) !== '1158201444') return false
      target = url
      return true
    },
    report: (status: Status) => void waiting.push(status),
    stop() {
      isStopped = true
      clearInterval(timer)
    },
  }
}

async function deliver(url: string, body: string, appSecret: string): Promise<boolean> {
  const signature = createHmac('sha256', appSecret).update(body).digest('hex')
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
      body,
    })
    return answer.status === 200
  } catch {
    return false
  }
}

function envelope({ wabaId, phoneNumberId }: Account, statuses: Status[]) {
  const metadata = { display_phone_number: '919876500000', phone_number_id: phoneNumberId }
  const value = { messaging_product: 'whatsapp', metadata, statuses: statuses.map(present) }
  return { object: 'whatsapp_business_account', entry: [{ id: wabaId, changes: [{ field: 'messages', value }] }] }
}

function present({ name, to, wamid, reference }: Status) {
  const status = {
    id: wamid,
    status: name,
    timestamp: String(Math.floor(Date.now() / 1000)),
    recipient_id: to,
    biz_opaque_callback_data: reference,
  }
  const title = 'Message undeliverable'
  const errors = [
    { code: 131026, title, message: title, error_data: { details: 'Receiver is incapable of receiving' } },
  ]
  return name === 'failed' ? { ...status, errors } : status
}
