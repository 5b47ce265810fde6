import { rcsCardWidths, rcsLimits } from '@carillon/contract/channels/rcs/rcs-limits'
import type { RcsCard, RcsTemplateInput } from '@carillon/contract/channels/rcs/rcs-templates'
import { FileText, Image, Play } from 'lucide-react'
import { useState } from 'react'
import { useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, FieldMessage } from '../../../ui/field.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { Input } from '../../../ui/input.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import type { Problems } from '../../parts/templates/problems.tsx'
import { rcsMediaKind } from '@carillon/contract/channels/rcs/rcs-message-traits'
import { isOwnMedia } from '../phone/own-media.ts'
import { readPicture } from './crop-image.ts'
import { Cropper } from './cropper.tsx'

type MediaFieldProps = {
  card: RcsCard
  input: Pick<RcsTemplateInput, 'type' | 'width'>
  at: string
  problems: Problems
  onChange: (patch: Partial<RcsCard>, group?: string) => void
  onFocus: () => void
  onBlur: () => void
}

const ways = [
  { value: 'upload', label: 'Upload' },
  { value: 'url', label: 'URL' },
] as const

/** The image, video or PDF of a card: uploaded, or at a public URL. */
export function MediaField(props: MediaFieldProps) {
  const { card, at, problems, onChange, onFocus, onBlur } = props
  const [way, setWay] = useState<'upload' | 'url'>(card.mediaUrl !== '' && card.fileId === undefined ? 'url' : 'upload')
  return (
    <div data-field={`${at}.mediaUrl`} className="flex flex-col gap-2.5" onFocus={onFocus} onBlur={onBlur}>
      <div className="flex min-h-8 items-center justify-between gap-3">
        <span className="font-medium">
          Media <small className="text-caption font-normal text-muted-foreground">(optional)</small>
        </span>
        <Segmented label="Where the media comes from" size="tool" value={way} onValueChange={setWay} options={ways} />
      </div>
      {way === 'upload' ? <UploadWay {...props} /> : <UrlWay {...props} />}
      {card.mediaUrl === '' ? null : (
        <Field label="Alt text" hint="(optional)" help="Read to people who cannot see the media">
          <Input
            maxLength={400}
            placeholder="Three lit diyas on a brass plate"
            value={card.mediaDescription}
            onChange={(event) => onChange({ mediaDescription: event.target.value }, `${at}.mediaDescription`)}
          />
        </Field>
      )}
      {way === 'upload' && problems(`${at}.mediaUrl`) ? <FieldMessage text={problems(`${at}.mediaUrl`) ?? ''} /> : null}
    </div>
  )
}

const kinds = {
  image: { label: 'Image', icon: Image },
  video: { label: 'Video', icon: Play },
  pdf: { label: 'PDF', icon: FileText },
} as const

type Chosen = { picture: ImageBitmap; name: string }

function UploadWay({ card, input, onChange }: MediaFieldProps) {
  const upload = useApiWrite('rcsMedia.template')
  const [cropping, setCropping] = useState<Chosen>()
  const [problem, setProblem] = useState<string>()
  const none = { mediaUrl: '', thumbnailUrl: '', mediaDescription: '', fileId: undefined }

  function send(file: File) {
    setCropping(undefined)
    upload.mutate(
      { files: { file } },
      { onSuccess: ({ fileId, url }) => onChange({ mediaUrl: url, fileId, thumbnailUrl: '' }) },
    )
  }
  async function take(file: File) {
    setProblem(undefined)
    const isStill = /^image\/(?:jpeg|png|webp)$/.test(file.type)
    if (!isStill) {
      const found = refuse(file)
      return found ? setProblem(found) : send(file)
    }
    try {
      setCropping({ picture: await readPicture(file), name: file.name })
    } catch {
      setProblem(`${file.name} is not an image that this browser can read`)
    }
  }
  const message = problem ?? upload.error?.message
  return (
    <>
      {card.mediaUrl === '' ? (
        <FileDrop
          compact
          title="Image, video or PDF"
          help="JPEG or PNG, cropped to 2:1 and 2 MB. GIF up to 2 MB. MP4 and PDF up to 10 MB."
          accept=".jpg,.jpeg,.png,.webp,.gif,.mp4,.webm,.pdf"
          maximumBytes={25 * 1024 * 1024}
          disabled={upload.isPending}
          onFile={(file) => void take(file)}
        />
      ) : (
        <Shown card={card} onRemove={() => onChange(none)} />
      )}
      {upload.isPending ? (
        <p role="status" className="flex items-center gap-2 text-dense text-muted-foreground">
          <Spinner /> Uploading…
        </p>
      ) : null}
      {message ? <FieldMessage text={message} /> : null}
      {cropping ? (
        <Cropper
          {...cropping}
          cardWidth={input.type === 'carousel' ? rcsCardWidths[input.width] : 284}
          onCropped={send}
          onClose={() => setCropping(undefined)}
        />
      ) : null}
    </>
  )
}

/** GIFs stay animated, so they are not compressed here. */
function refuse({ name, type, size }: File): string | undefined {
  if (type === 'image/gif')
    return size > rcsLimits.imageBytes ? `${name} is larger than 2 MB, the limit for images` : undefined
  return size > rcsLimits.videoBytes ? `${name} is larger than 10 MB` : undefined
}

function Shown({ card: { mediaUrl, mediaDescription }, onRemove }: { card: RcsCard; onRemove: () => void }) {
  const kind = rcsMediaKind(mediaUrl)
  const { label, icon: Icon } = kinds[kind]
  return (
    <div className="flex items-center gap-3 rounded-lg border border-border bg-card p-2">
      <span className="grid h-12 w-24 shrink-0 place-items-center overflow-hidden rounded-md bg-secondary text-muted-foreground">
        {kind === 'image' && isOwnMedia(mediaUrl) ? (
          <img src={mediaUrl} alt="" className="size-full object-cover" />
        ) : (
          <Icon aria-hidden className="size-5" />
        )}
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-medium">{label}</p>
        <p className="truncate text-caption text-muted-foreground">{mediaDescription || mediaUrl}</p>
      </div>
      <Button size="sm" onClick={onRemove}>
        Replace
      </Button>
    </div>
  )
}

function UrlWay({ card, at, problems, onChange }: MediaFieldProps) {
  const { mediaUrl, thumbnailUrl } = card
  const isVideo = rcsMediaKind(mediaUrl) === 'video'
  return (
    <div className={isVideo ? 'grid gap-3 md:grid-cols-2' : undefined}>
      <Field label="Media URL" help="Public, with https://. May contain variables" error={problems(`${at}.mediaUrl`)}>
        <Input
          type="url"
          maxLength={4000}
          placeholder="https://acme.in/diwali.jpg"
          value={mediaUrl}
          onChange={(event) => onChange({ mediaUrl: event.target.value.trim(), fileId: undefined }, `${at}.mediaUrl`)}
        />
      </Field>
      {isVideo ? (
        <div data-field={`${at}.thumbnailUrl`}>
          <Field label="Preview image" hint="(optional)" error={problems(`${at}.thumbnailUrl`)}>
            <Input
              type="url"
              maxLength={4000}
              placeholder="https://acme.in/diwali-preview.jpg"
              value={thumbnailUrl}
              onChange={(event) => onChange({ thumbnailUrl: event.target.value.trim() }, `${at}.thumbnailUrl`)}
            />
          </Field>
        </div>
      ) : null}
    </div>
  )
}
