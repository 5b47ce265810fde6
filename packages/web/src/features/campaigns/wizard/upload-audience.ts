import type { Audience } from '@carillon/contract/audience'
import type { Channel } from '@carillon/contract/channels'
import { messages } from '@carillon/contract/errors'
import { routes } from '@carillon/contract/routes.gen'
import { CallError } from '../../../lib/call.ts'
import { currentUser } from '../../../lib/session.ts'

type Upload = {
  file: File
  defaultCountry: string
  channel: Channel
  onProgress: (percent: number) => void
  signal: AbortSignal
}

/** Uploads a file with progress, which `fetch` does not support. */
export function uploadAudience({ file, defaultCountry, channel, onProgress, signal }: Upload): Promise<Audience> {
  const route = routes['audience.create']
  const form = new FormData()
  form.append('defaultCountry', defaultCountry)
  form.append('channel', channel)
  form.append('file', file)

  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(route.method, route.path)
    request.setRequestHeader('authorization', `Bearer ${currentUser()?.token ?? ''}`)
    request.setRequestHeader('accept', 'application/json')
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total > 0 ? (loaded / total) * 100 : 0),
    )
    request.addEventListener('error', () => reject(new CallError({ message: messages.network, code: 'network' })))
    request.addEventListener('abort', () =>
      reject(new CallError({ message: 'The upload was cancelled', code: 'cancelled' })),
    )
    request.addEventListener('load', () => {
      const answer = parse(request.responseText)
      if (request.status < 300 && answer.data) resolve(answer.data)
      else
        reject(
          new CallError({
            message: answer.message ?? route.fallback,
            status: request.status,
            code: answer.code ?? 'internal',
          }),
        )
    })
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}

type UploadAnswer = { data?: Audience; message?: string; code?: string }

function parse(text: string): UploadAnswer {
  try {
    // Our own server's response, in the shape of the contract.
    return JSON.parse(text) as UploadAnswer
  } catch {
    return {}
  }
}
