import { FileText, Image, ImageOff, Play } from 'lucide-react'
import { useState } from 'react'
import { hostOf, isOwnMedia } from './own-media.ts'
import type { RcsPhoneMedia } from './rcs-message.ts'

const icons = { image: Image, video: Play, pdf: FileText } as const

/** An image, video or PDF in a box of fixed size; a tile if it cannot be loaded, or is on another server. */
export function RcsMedia({ media: { kind, url, thumbnailUrl, description } }: { media: RcsPhoneMedia }) {
  const [failed, setFailed] = useState<string>()
  const picture = kind === 'image' ? url : thumbnailUrl
  const isShown = picture !== undefined && isOwnMedia(picture) && failed !== picture
  const isPlayed = kind === 'video' && !isShown && url !== undefined && isOwnMedia(url) && failed !== url
  const isFailed = failed !== undefined && (failed === picture || failed === url)
  const Icon = isFailed ? ImageOff : icons[kind]
  const note = isFailed ? 'Cannot be loaded' : url !== undefined && !isOwnMedia(url) ? hostOf(url) : ''
  return (
    <>
      {isShown ? <img src={picture} alt={description ?? ''} onError={() => setFailed(picture)} /> : null}
      {isPlayed ? (
        <video src={url} muted playsInline preload="metadata" aria-label={description} onError={() => setFailed(url)} />
      ) : null}
      {isShown && kind === 'image' ? null : (
        <span className="phone-rcs-mark">
          <Icon aria-hidden />
          {note ? <small>{note}</small> : null}
        </span>
      )}
    </>
  )
}
