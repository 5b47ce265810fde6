import { templateLimits } from '@carillon/contract/channels/whatsapp/whatsapp-template-rules'
import type { TemplateHeader } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { Braces, FileText, Image, Play } from 'lucide-react'
import { formatBytes } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, FieldMessage } from '../../../ui/field.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { Input } from '../../../ui/input.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { mediaRules, type MediaFormat, type WhatsappMedia } from './use-media.ts'
import { emptyHeader } from './form.ts'
import type { Problems } from '../../parts/templates/problems.tsx'

const formats = [
  { value: 'NONE', label: 'None' },
  { value: 'TEXT', label: 'Text' },
  { value: 'IMAGE', label: 'Image' },
  { value: 'VIDEO', label: 'Video' },
  { value: 'DOCUMENT', label: 'Document' },
  { value: 'LOCATION', label: 'Location' },
] as const

type Format = (typeof formats)[number]['value']

type FormatChoiceProps = {
  header: TemplateHeader | undefined
  onChange: (header: TemplateHeader | undefined) => void
}

export function HeaderFormat({ header, onChange }: FormatChoiceProps) {
  const choose = (format: Format) => onChange(format === 'NONE' ? undefined : emptyHeader(format))
  return (
    <div className="scrollbar-none max-w-full overflow-x-auto">
      <Segmented
        label="Kind of header"
        size="tool"
        value={header?.format ?? 'NONE'}
        onValueChange={choose}
        options={formats}
      />
    </div>
  )
}

type HeaderFieldProps = {
  header: TemplateHeader | undefined
  /** The path of the header in the template. */
  at: string
  variable: string
  media: WhatsappMedia
  problems: Problems
  onChange: (header: TemplateHeader) => void
}

/** Header field: text, image, video, document or location. */
export function HeaderField({ header, at, variable, media, problems, onChange }: HeaderFieldProps) {
  if (!header) return null
  if (header.format === 'LOCATION') {
    return <p className="text-dense text-muted-foreground">Each message shows a map location, set in the campaign.</p>
  }
  if (header.format !== 'TEXT') {
    return (
      <MediaField
        header={header}
        format={header.format}
        at={at}
        media={media}
        problems={problems}
        onChange={onChange}
      />
    )
  }
  const { text } = header
  return (
    <div data-field={`${at}.text`}>
      <Field label="Header text" labelHidden="always" error={problems(`${at}.text`)}>
        <Input
          name="header"
          maxLength={200}
          placeholder="Your order is on its way"
          value={text}
          onChange={(event) => onChange({ ...header, text: event.target.value })}
          trailing={
            <>
              <span className="text-caption text-muted-foreground tabular-nums">
                {text.length}/{templateLimits.headerText}
              </span>
              {text.includes('{{') ? null : (
                <Button
                  variant="ghost"
                  size="tool"
                  className="-mr-1.5"
                  onClick={() => onChange({ ...header, text: `${text.trimEnd()} {{${variable}}}`.trimStart() })}
                >
                  <Braces aria-hidden /> Variable
                </Button>
              )}
            </>
          }
        />
      </Field>
    </div>
  )
}

const icons = { IMAGE: Image, VIDEO: Play, DOCUMENT: FileText } as const
const kinds = { IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'document' } as const

type MediaHeader = Exclude<TemplateHeader, { format: 'TEXT' | 'LOCATION' }>
type MediaFieldProps = Omit<HeaderFieldProps, 'header' | 'variable'> & { header: MediaHeader; format: MediaFormat }

function MediaField({ header, format, at, media, problems, onChange }: MediaFieldProps) {
  const rule = mediaRules[format]
  const known = media.known[header.handle]
  const take = (file: File) => media.give(file, (given) => onChange({ ...header, ...given }))
  const Icon = icons[format]
  // An upload error is more specific than a missing file.
  const problem = media.error?.message ?? problems(`${at}.handle`)
  return (
    <div data-field={`${at}.handle`}>
      {header.handle === '' ? (
        <FileDrop
          compact
          title={`A sample ${kinds[format]} for the review`}
          help={`${rule.words}. Set per campaign.`}
          accept={rule.accept}
          maximumBytes={rule.megabytes * 1024 * 1024}
          disabled={media.isPending}
          onFile={take}
        />
      ) : (
        <div className="flex items-center gap-3 rounded-lg border border-border bg-card p-2">
          <span className="grid h-12 w-23 shrink-0 place-items-center overflow-hidden rounded-md bg-secondary text-muted-foreground">
            {known && format === 'IMAGE' ? (
              <img src={known.url} alt="" className="size-full object-cover" />
            ) : (
              <Icon aria-hidden className="size-5" />
            )}
          </span>
          <div className="min-w-0 flex-1">
            <p className="truncate font-medium">{known?.name ?? `Sample ${kinds[format]}`}</p>
            <p className="truncate text-caption text-muted-foreground">
              {known ? `${formatBytes(known.sizeBytes)} of ${rule.megabytes} MB` : 'Uploaded to Meta'}
            </p>
          </div>
          <Button size="sm" onClick={() => onChange({ ...header, handle: '' })}>
            Replace
          </Button>
        </div>
      )}
      {media.isPending ? (
        <p role="status" className="mt-2 flex items-center gap-2 text-dense text-muted-foreground">
          <Spinner /> Uploading to Meta…
        </p>
      ) : null}
      {problem ? <FieldMessage text={problem} /> : null}
    </div>
  )
}
