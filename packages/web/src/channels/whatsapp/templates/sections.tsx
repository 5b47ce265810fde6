import { templateLimits } from '@carillon/contract/channels/whatsapp/whatsapp-template-rules'
import { nextVariable } from '../body-editing.ts'
import { languageLabel, templateLanguages } from '../template-labels.tsx'
import type { WhatsappPart } from '../phone/whatsapp-message.ts'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { useWhatsappForm } from './use-form.ts'
import type { WhatsappMedia } from './use-media.ts'
import { AuthenticationBody, OtpButton } from './authentication.tsx'
import { TimeToLive, WhatsappBasics } from './basics.tsx'
import { BodyField } from './body-field.tsx'
import { AddButton, ButtonList } from './buttons.tsx'
import { WhatsappCards } from './cards.tsx'
import { isLocked, isNamed, withBody } from './form.ts'
import { HeaderField, HeaderFormat } from './header-field.tsx'
import { AddLanguage } from './outline.tsx'
import { WhatsappSamples } from './samples.tsx'
import { Problem, type Problems, Count } from '../../parts/templates/problems.tsx'
import { BuilderSection } from './section.tsx'
import { whatsappTexts } from './texts.ts'

type Editing = ReturnType<typeof useWhatsappForm>

type SectionsProps = {
  editing: Editing
  wabas: readonly { waba_id: string; name: string }[]
  media: WhatsappMedia
  problems: Problems
  /** The outlined part of the phone: the variable or part whose field has the focus. */
  onVariable: (variable: string | undefined) => void
  onPart: (part: WhatsappPart | undefined) => void
}

/** The sections of one language of a template, in the order of the phone. */
export function WhatsappSections(props: SectionsProps) {
  const { editing, wabas, problems } = props
  const { form, variant } = editing
  const isAuthentication = form.category === 'AUTHENTICATION'
  return (
    <>
      <WhatsappBasics
        form={form}
        variant={variant}
        wabas={wabas}
        problems={problems}
        onChange={editing.change}
        onCategory={editing.chooseCategory}
      />
      <LanguageField editing={editing} />
      <fieldset disabled={isLocked(variant)} className="flex min-w-0 flex-col gap-7">
        {isAuthentication ? <AuthenticationSections {...props} /> : <PlainSections {...props} />}
        <TimeToLive
          category={form.category}
          seconds={variant.content.timeToLiveSeconds}
          problem={problems('components.timeToLiveSeconds')}
          onChange={(timeToLiveSeconds) => {
            const { timeToLiveSeconds: _, ...rest } = variant.content
            editing.setContent(timeToLiveSeconds === undefined ? rest : { ...rest, timeToLiveSeconds })
          }}
        />
      </fieldset>
    </>
  )
}

/** The language of the fields below; on wide screens the outline switches it. */
function LanguageField({ editing }: { editing: Editing }) {
  const { form, variant, index } = editing
  const others = form.variants.filter((_, place) => place !== index).map(({ language }) => language)
  const options = templateLanguages.filter(({ value }) => !others.includes(value))
  const isKnown = options.some(({ value }) => value === variant.language)
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div data-field="language" className={form.variants.length > 1 ? 'max-xl:hidden' : undefined}>
        <Field label="Language" className="w-60">
          <Select
            name="language"
            value={variant.language}
            disabled={isNamed(variant) || variant.id !== undefined}
            onValueChange={editing.changeLanguage}
            options={
              isKnown ? options : [...options, { value: variant.language, label: languageLabel(variant.language) }]
            }
          />
        </Field>
      </div>
      {form.variants.length > 1 ? (
        <Field label="Language" className="w-60 xl:hidden">
          <Select
            value={String(index)}
            onValueChange={(place) => editing.showLanguage(Number(place))}
            options={form.variants.map(({ language }, place) => ({
              value: String(place),
              label: languageLabel(language),
            }))}
          />
        </Field>
      ) : null}
      <span className="pb-1 xl:hidden">
        <AddLanguage form={form} onAdd={editing.addLanguage} />
      </span>
    </div>
  )
}

function AuthenticationSections({ editing, problems }: SectionsProps) {
  const { content } = editing.variant
  return (
    <>
      <BuilderSection section="body">
        <AuthenticationBody content={content} problems={problems} onChange={editing.setContent} />
      </BuilderSection>
      <BuilderSection section="buttons">
        <OtpButton content={content} problems={problems} onChange={editing.setContent} />
        <Problem text={problems('components.buttons')} />
      </BuilderSection>
    </>
  )
}

function PlainSections(props: SectionsProps) {
  const { editing, media, problems, onVariable } = props
  const { form, variant, setContent, changeContent } = editing
  const { content } = variant
  const { header, buttons, cards } = content
  const hasCards = cards.length > 0
  return (
    <>
      <BuilderSection
        section="header"
        aside={
          <HeaderFormat
            header={header}
            onChange={(next) => {
              const { header: _, ...rest } = content
              setContent(next ? { ...rest, header: next } : rest)
            }}
          />
        }
      >
        <HeaderField
          header={header}
          at="components.header"
          variable={nextVariable('', form.parameterFormat)}
          media={media}
          problems={problems}
          onChange={(next) => changeContent({ header: next })}
        />
        <Problem text={problems('components.header')} />
      </BuilderSection>
      <BodySection {...props} />
      {hasCards && content.footer === '' ? null : <FooterSection {...props} />}
      {hasCards && buttons.length === 0 ? null : (
        <BuilderSection
          section="buttons"
          count={buttons.length > 0 ? `${buttons.length} of ${templateLimits.buttons}` : undefined}
          aside={
            <AddButton
              buttons={buttons}
              category={form.category}
              onChange={(next) => changeContent({ buttons: [...next] })}
            />
          }
        >
          <div data-field="components.buttons">
            <ButtonList
              buttons={buttons}
              at="components.buttons"
              problems={problems}
              onChange={(next) => changeContent({ buttons: [...next] })}
            />
            <Problem text={problems('components.buttons')} />
          </div>
        </BuilderSection>
      )}
      <BuilderSection section="cards" count={hasCards ? `${cards.length} of ${templateLimits.cards}` : undefined}>
        <WhatsappCards
          cards={cards}
          category={form.category}
          format={form.parameterFormat}
          media={media}
          problems={problems}
          onChange={(next) => changeContent({ cards: [...next] })}
        />
      </BuilderSection>
      <BuilderSection section="samples" count="Meta reads these">
        <div data-field="components.samples">
          <WhatsappSamples content={content} problems={problems} onChange={setContent} onFocus={onVariable} />
        </div>
      </BuilderSection>
    </>
  )
}

function BodySection({ editing, problems, onPart }: SectionsProps) {
  const { form, variant, setContent } = editing
  const { content } = variant
  const canMake = content.body !== '' && !content.body.includes('{{') && form.parameterFormat === 'positional'
  return (
    <BuilderSection section="body" aside={<Count text={content.body} most={templateLimits.body} />}>
      <div onFocus={() => onPart('body')} onBlur={() => onPart(undefined)}>
        <BodyField
          label="Text"
          at="components.body"
          body={content.body}
          format={form.parameterFormat}
          error={problems('components.body')}
          onMake={canMake ? () => !editing.makeTemplate() && toast.plain(whatsappTexts.nothingToMake) : undefined}
          onChange={(body) => setContent(withBody(content, body))}
        />
      </div>
    </BuilderSection>
  )
}

function FooterSection({ editing, problems, onPart }: SectionsProps) {
  const { footer } = editing.variant.content
  return (
    <BuilderSection section="footer" aside={<Count text={footer} most={templateLimits.footer} />}>
      <div data-field="components.footer" onFocus={() => onPart('footer')} onBlur={() => onPart(undefined)}>
        <Field label="Footer" labelHidden="always" error={problems('components.footer')}>
          <Input
            name="footer"
            maxLength={200}
            placeholder="Reply STOP to opt out"
            value={footer}
            onChange={(event) => editing.changeContent({ footer: event.target.value })}
          />
        </Field>
      </div>
    </BuilderSection>
  )
}
