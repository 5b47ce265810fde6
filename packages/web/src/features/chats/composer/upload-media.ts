import { messages } from '@carillon/contract/errors'
import type { StoredFile } from '@carillon/contract/files'
import { routes } from '@carillon/contract/routes.gen'
import { CallError } from '../../../lib/call.ts'
import { currentUser } from '../../../lib/session.ts'

type Upload = {
  file: File
  chatId: string
  /** Of the idempotency of the call. */
  key: string
  onProgress: (percent: number) => void
  signal: AbortSignal
}

/** Stores a file with progress, which `fetch` does not support. */
export function uploadMedia({ file, chatId, key, onProgress, signal }: Upload): Promise<StoredFile> {
  const route = routes['conversations.upload']
  const form = new FormData()
  form.append('fileContent', file)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(route.method, route.path.replace('{id}', encodeURIComponent(chatId)))
    request.setRequestHeader('authorization', `Bearer ${currentUser()?.token ?? ''}`)
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('idempotency-key', key)
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total > 0 ? Math.floor((loaded / total) * 100) : 0),
    )
    request.addEventListener('error', () => reject(new CallError({ message: messages.network, code: 'network' })))
    request.addEventListener('abort', () =>
      reject(new CallError({ message: 'The upload was cancelled', code: 'cancelled' })),
    )
    request.addEventListener('load', () => {
      const { data, message, code } = parse(request.responseText)
      if (request.status < 300 && data) resolve(data)
      else
        reject(new CallError({ message: message ?? route.fallback, status: request.status, code: code ?? 'internal' }))
    })
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}

/** Our own server's answer, in the shape of the contract. */
function parse(text: string): { data?: StoredFile; message?: string; code?: string } {
  try {
    return JSON.parse(text) as { data?: StoredFile; message?: string; code?: string }
  } catch {
    return {}
  }
}
