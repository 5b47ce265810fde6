import { FileText, Image, ImageOff, Play } from 'lucide-react'
import { useState } from 'react'
import type { RcsPhoneMedia } from './rcs-message.ts'

const icons = { image: Image, video: Play, pdf: FileText } as const

/** An image, video or PDF in a box of fixed size; a tile if it cannot be loaded. */
export function RcsMedia({ media: { kind, url, thumbnailUrl, description } }: { media: RcsPhoneMedia }) {
  const [failed, setFailed] = useState<string>()
  const isFailed = url !== undefined && failed === url
  const source = kind === 'image' ? url : thumbnailUrl
  const Icon = isFailed ? ImageOff : icons[kind]
  const isPlain = kind === 'image' && source !== undefined && !isFailed
  return (
    <>
      {source !== undefined && !isFailed ? (
        <img src={source} alt={description ?? ''} onError={() => setFailed(url ?? source)} />
      ) : null}
      {kind === 'video' && url !== undefined && !source && !isFailed ? (
        <video src={url} muted playsInline preload="metadata" aria-label={description} onError={() => setFailed(url)} />
      ) : null}
      {isPlain ? null : (
        <span className="phone-rcs-mark">
          <Icon aria-hidden />
          {isFailed ? <small>Cannot be loaded</small> : null}
        </span>
      )}
    </>
  )
}
