import type { Audience } from '@carillon/contract/audience'
import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { NothingToFill, SameForAll } from '../../../features/campaigns/wizard/nothing-to-fill.tsx'
import { RowProblems } from '../../../features/campaigns/wizard/row-problems.tsx'
import { SourceList } from '../../parts/source-list.tsx'
import type { RowVariable } from '../../parts/variable-row.tsx'
import { HeaderMediaField } from './header-media-field.tsx'
import { PlaceField } from './place-field.tsx'
import type { WhatsappWizardState } from './use-whatsapp-wizard.ts'
import type { WhatsappStep } from './whatsapp-draft-state.ts'
import { mediaSlotsOf, needsPlace, slotsOf, slotLabel, type Slot } from './whatsapp-slots.ts'

type WhatsappPersonaliseStepProps = {
  wizard: WhatsappWizardState
  onStep: (step: WhatsappStep) => void
  onFocus: (slot: string | undefined) => void
}

/** Where header, text, buttons and cards get their values, in the order of the message. */
export function WhatsappPersonaliseStep({ wizard, onStep, onFocus }: WhatsappPersonaliseStepProps) {
  const { template, audience, setSeq, counted } = wizard
  if (!template || !audience) return <NothingToFill lacks={template ? 'audience' : 'template'} onStep={onStep} />
  const hasMedia = mediaSlotsOf(template).length > 0
  if (slotsOf(template).length === 0 && !hasMedia && !needsPlace(template)) return <SameForAll name={template.name} />
  return (
    <div className="flex flex-col gap-6">
      {hasMedia || needsPlace(template) ? <Header wizard={wizard} template={template} audience={audience} /> : null}
      {places.map(({ place, title }) => (
        <Section
          key={place}
          title={title}
          slots={slotsOf(template).filter((slot) => slot.place === place)}
          wizard={wizard}
          audience={audience}
          onFocus={onFocus}
        />
      ))}
      <RowProblems found={counted} onJump={setSeq} />
    </div>
  )
}

const places = [
  { place: 'header', title: 'Header' },
  { place: 'body', title: 'Text' },
  { place: 'buttons', title: 'Buttons' },
  { place: 'cards', title: 'Cards' },
] as const

type SectionProps = {
  title: string
  slots: readonly Slot[]
  wizard: WhatsappWizardState
  audience: Audience
  onFocus: (slot: string | undefined) => void
}

function Section({ title, slots, wizard, audience, onFocus }: SectionProps) {
  const { handle } = wizard
  if (slots.length === 0) return null
  return (
    <SourceList
      id={`${title.toLowerCase()}-sources`}
      title={title}
      audience={audience}
      variables={slots.map(rowOf)}
      sources={slots.map((slot) => slot.read(handle.draft.values))}
      onSource={(index, source) => {
        const slot = slots[index]
        if (slot) handle.change({ values: slot.write(handle.draft.values, source) })
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

type HeaderProps = { wizard: WhatsappWizardState; template: WhatsappTemplate; audience: Audience }

/** The header of the message or of each card: a file, or a location. */
function Header({ wizard, template, audience }: HeaderProps) {
  const { handle, number, mediaUrls, rememberMedia } = wizard
  const { values } = handle.draft
  return (
    <section aria-labelledby="media-title" className="flex flex-col gap-3">
      <h2 id="media-title" className="text-section font-semibold">
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
          phoneNumberId={number?.phone_number_id}
          urls={mediaUrls}
          onUploaded={rememberMedia}
          onMedia={(media) => handle.change({ values: slot.write(values, media) })}
        />
      ))}
      {needsPlace(template) ? (
        <PlaceField
          place={values.location}
          onPlace={(location) => handle.change({ values: { ...values, location } })}
        />
      ) : null}
    </section>
  )
}
