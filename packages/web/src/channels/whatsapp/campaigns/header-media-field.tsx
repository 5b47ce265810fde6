import { truncate } from '@carillon/contract/text'
import type { HeaderMedia } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import { FileText, Image, Play } from 'lucide-react'
import { useState } from 'react'
import { useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, FieldMessage } from '../../../ui/field.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { Input } from '../../../ui/input.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Select } from '../../../ui/select.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import type { MediaSlot } from './whatsapp-slots.ts'

type HeaderMediaFieldProps = {
  slot: MediaSlot
  media: HeaderMedia | undefined
  columns: readonly string[]
  firstRow: readonly string[]
  wabaId: string
  phoneNumberId: string | undefined
  /** URLs of files uploaded in this session, by Meta's id. */
  urls: Readonly<Record<string, string>>
  onUploaded: (mediaId: string, url: string) => void
  onMedia: (media: HeaderMedia | undefined) => void
}

const ways = [
  { value: 'upload', label: 'Upload' },
  { value: 'link', label: 'Link' },
  { value: 'column', label: 'From column' },
] as const
type Way = (typeof ways)[number]['value']

/** The header's file: uploaded, at a URL, or at a URL in each row. */
export function HeaderMediaField(props: HeaderMediaFieldProps) {
  const { slot, media, onMedia } = props
  const [chosen, setChosen] = useState<Way>()
  const way = chosen ?? wayOf(media)

  function choose(next: Way) {
    setChosen(next)
    if (media && wayOf(media) !== next) onMedia(undefined)
  }
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-3">
        <span className="font-medium">
          {slot.label}: {kinds[slot.format]}
        </span>
        <Segmented
          label={`Where the ${kinds[slot.format]} of ${slot.label.toLowerCase()} comes from`}
          size="tool"
          value={way}
          onValueChange={choose}
          options={ways}
        />
      </div>
      {way === 'upload' ? <UploadWay {...props} /> : null}
      {way === 'link' ? <LinkWay {...props} /> : null}
      {way === 'column' ? <ColumnWay {...props} /> : null}
    </div>
  )
}

function wayOf(media: HeaderMedia | undefined): Way {
  if (!media || 'mediaId' in media) return 'upload'
  return 'link' in media ? 'link' : 'column'
}

const kinds = { IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'document' } as const
const icons = { IMAGE: Image, VIDEO: Play, DOCUMENT: FileText } as const

/** Media types that Meta accepts in messages. */
const rules: Record<MediaSlot['format'], { accept: string; megabytes: number; words: string }> = {
  IMAGE: { accept: '.jpg,.jpeg,.png', megabytes: 5, words: 'JPEG or PNG up to 5 MB, ideally 1.91:1' },
  VIDEO: { accept: '.mp4,.3gp', megabytes: 16, words: 'MP4 or 3GP up to 16 MB' },
  DOCUMENT: {
    accept: '.pdf,.txt,.doc,.docx,.xls,.xlsx,.ppt,.pptx',
    megabytes: 100,
    words: 'PDF, text or Office file up to 100 MB',
  },
}

function UploadWay({ slot, media, wabaId, phoneNumberId, urls, onUploaded, onMedia }: HeaderMediaFieldProps) {
  const upload = useApiWrite('waMedia.campaign')
  const rule = rules[slot.format]
  const Icon = icons[slot.format]

  function take(file: File) {
    const body = { waba_id: wabaId, ...(phoneNumberId ? { phone_number_id: phoneNumberId } : {}) }
    upload.mutate(
      { body, files: { file } },
      {
        onSuccess({ mediaId, fileId }) {
          onUploaded(mediaId, URL.createObjectURL(file))
          onMedia({ mediaId, fileId, filename: file.name })
        },
      },
    )
  }

  if (media && 'mediaId' in media) {
    const url = urls[media.mediaId]
    return (
      <div className="flex items-center gap-3 rounded-lg border border-border bg-card p-2">
        <span className="grid h-12 w-23 shrink-0 place-items-center overflow-hidden rounded-md bg-secondary text-muted-foreground">
          {url && slot.format === 'IMAGE' ? (
            <img src={url} alt="" className="size-full object-cover" />
          ) : (
            <Icon aria-hidden className="size-5" />
          )}
        </span>
        <div className="min-w-0 flex-1">
          <p className="truncate font-medium">{media.filename ?? `Uploaded ${kinds[slot.format]}`}</p>
          <p className="truncate text-caption text-muted-foreground">Meta keeps it for 30 days</p>
        </div>
        <Button size="sm" onClick={() => onMedia(undefined)}>
          Replace
        </Button>
      </div>
    )
  }
  return (
    <>
      <FileDrop
        compact
        title={`The ${kinds[slot.format]} that everyone sees`}
        help={rule.words}
        accept={rule.accept}
        maximumBytes={rule.megabytes * 1024 * 1024}
        disabled={upload.isPending}
        onFile={take}
      />
      {upload.isPending ? (
        <p role="status" className="flex items-center gap-2 text-dense text-muted-foreground">
          <Spinner /> Uploading to Meta…
        </p>
      ) : null}
      {upload.error ? <FieldMessage text={upload.error.message} /> : null}
    </>
  )
}

function LinkWay({ slot, media, onMedia }: HeaderMediaFieldProps) {
  const [typed, setTyped] = useState(media && 'link' in media ? media.link : '')
  const isWhole = /^https?:\/\/[^\s/]+\.\S+$/i.test(typed)

  function change(text: string) {
    setTyped(text)
    const link = text.trim()
    if (/^https?:\/\/[^\s/]+\.\S+$/i.test(link)) onMedia({ link, ...nameOf(slot, media) })
    else if (media) onMedia(undefined)
  }
  return (
    <div className="grid grid-cols-2 gap-3 max-md:grid-cols-1">
      <Field
        label="Address"
        help="Meta downloads it for each message"
        error={typed === '' || isWhole ? undefined : 'Enter a full URL with https://'}
      >
        <Input
          type="url"
          placeholder="https://acme.in/diwali.jpg"
          maxLength={2000}
          value={typed}
          onChange={(event) => change(event.target.value)}
        />
      </Field>
      <FileName slot={slot} media={media} onMedia={onMedia} />
    </div>
  )
}

function ColumnWay({ slot, media, columns, firstRow, onMedia }: HeaderMediaFieldProps) {
  const chosen = media && 'column' in media ? String(media.column) : ''
  return (
    <div className="grid grid-cols-2 gap-3 max-md:grid-cols-1">
      <Field label="Column" help="Each cell holds a URL or the id of an uploaded file">
        <Select
          value={chosen}
          placeholder="Choose a column"
          onValueChange={(column) => onMedia({ column: Number(column), ...nameOf(slot, media) })}
          options={columns.map((column, index) => ({
            value: String(index),
            label: [column || `Column ${index + 1}`, truncate(firstRow[index] ?? '', 30)].filter(Boolean).join(' · '),
          }))}
        />
      </Field>
      <FileName slot={slot} media={media} onMedia={onMedia} />
    </div>
  )
}

/** Documents have a file name on the phone; images and videos have none. */
function FileName({ slot, media, onMedia }: Pick<HeaderMediaFieldProps, 'slot' | 'media' | 'onMedia'>) {
  if (slot.format !== 'DOCUMENT') return null
  return (
    <Field label="File name shown" hint="optional">
      <Input
        placeholder="Invoice.pdf"
        maxLength={240}
        disabled={!media}
        value={media?.filename ?? ''}
        onChange={(event) => media && onMedia({ ...media, filename: event.target.value || undefined })}
      />
    </Field>
  )
}

function nameOf({ format }: MediaSlot, media: HeaderMedia | undefined): { filename?: string } {
  return format === 'DOCUMENT' && media?.filename ? { filename: media.filename } : {}
}
