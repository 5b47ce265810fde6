import type { TemplateValues } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { useId } from 'react'
import type { ValuesTools } from '../../channel-campaigns.ts'
import { SourceList } from '../../parts/source-list.tsx'
import type { RowVariable } from '../../parts/variable-row.tsx'
import { HeaderMediaField } from './header-media-field.tsx'
import { PlaceField } from './place-field.tsx'
import type { SessionMedia } from './use-session-media.ts'
import { mediaSlotsOf, needsPlace, slotsOf, slotLabel, type Slot } from './whatsapp-slots.ts'

type WhatsappValuesStepProps = ValuesTools & {
  template: WhatsappTemplate
  values: TemplateValues
  phoneNumberId: string | undefined
  media: SessionMedia
  onValues: (values: TemplateValues) => void
}

/** Values of header, text, buttons and cards, in the order of the message. */
export function WhatsappValuesStep(props: WhatsappValuesStepProps) {
  const { template } = props
  return (
    <>
      {mediaSlotsOf(template).length > 0 || needsPlace(template) ? <Header {...props} /> : null}
      {places.map(({ place, title }) => (
        <Section
          key={place}
          {...props}
          title={title}
          slots={slotsOf(template).filter((slot) => slot.place === place)}
        />
      ))}
    </>
  )
}

const places = [
  { place: 'header', title: 'Header' },
  { place: 'body', title: 'Text' },
  { place: 'buttons', title: 'Buttons' },
  { place: 'cards', title: 'Cards' },
] as const

type SectionProps = WhatsappValuesStepProps & { title: string; slots: readonly Slot[] }

function Section({ title, slots, audience, values, onValues, onFocus }: SectionProps) {
  if (slots.length === 0) return null
  return (
    <SourceList
      title={title}
      audience={audience}
      variables={slots.map(rowOf)}
      sources={slots.map((slot) => slot.read(values))}
      onSource={(index, source) => {
        const slot = slots[index]
        if (slot) onValues(slot.write(values, source))
      }}
      onFocus={onFocus}
    />
  )
}

function rowOf(slot: Slot): RowVariable {
  const { id, usedIn, sample } = slot
  return {
    id,
    name: slotLabel(slot),
    focus: id,
    caption: sample ? `${usedIn}, such as ${sample}` : usedIn,
    sample,
  }
}

/** The header of the message or of each card: a file, or a location. */
function Header({ template, audience, values, phoneNumberId, media, onValues }: WhatsappValuesStepProps) {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-3">
      <h2 id={titleId} className="text-section font-semibold">
        {needsPlace(template) ? 'Place' : 'Header'}
      </h2>
      {mediaSlotsOf(template).map((slot) => (
        <HeaderMediaField
          key={slot.id}
          slot={slot}
          media={slot.read(values)}
          columns={audience.columns}
          firstRow={audience.sample[0] ?? []}
          wabaId={template.waba_id}
          phoneNumberId={phoneNumberId}
          urls={media.urls}
          onUploaded={media.remember}
          onMedia={(chosen) => onValues(slot.write(values, chosen))}
        />
      ))}
      {needsPlace(template) ? (
        <PlaceField place={values.location} onPlace={(location) => onValues({ ...values, location })} />
      ) : null}
    </section>
  )
}
