import type {
  WhatsappCategory,
  WhatsappTemplate,
  WhatsappTemplateContent,
} from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { useState } from 'react'
import { makeTemplate, renumber } from '../body-editing.ts'
import { contentFor, emptyVariant, inputOf, type Variant, type WhatsappForm } from './form.ts'

/** State of a template in all its languages, and the selected language. */
export function useWhatsappForm(initial: WhatsappForm) {
  const [form, setForm] = useState(initial)
  const [current, setCurrent] = useState(0)
  const index = Math.min(current, form.variants.length - 1)
  const variant = form.variants[index] ?? emptyVariant('en')

  const change = (patch: Partial<WhatsappForm>) => setForm((form) => ({ ...form, ...patch }))
  const changeContent = (patch: Partial<WhatsappTemplateContent>) =>
    setForm((form) => withContent(form, index, { ...variant.content, ...patch }))

  return {
    form,
    variant,
    index,
    change,
    replace: setForm,
    changeContent,
    setContent: (content: WhatsappTemplateContent) => setForm((form) => withContent(form, index, content)),
    showLanguage: setCurrent,
    chooseCategory: (category: WhatsappCategory) =>
      setForm((form) => ({
        ...form,
        category,
        variants: form.variants.map((each) => ({ ...each, content: contentFor(category, each.content) })),
      })),
    /** A further language starts with the texts of the first. */
    addLanguage(language: string) {
      setForm((form) => ({ ...form, variants: [...form.variants, emptyVariant(language, form.variants[0]?.content)] }))
      setCurrent(form.variants.length)
    },
    removeLanguage(place: number) {
      setForm((form) => ({ ...form, variants: form.variants.filter((_, index) => index !== place) }))
      setCurrent(0)
    },
    changeLanguage: (language: string) =>
      setForm((form) => ({ ...form, variants: replaced(form.variants, index, { ...variant, language }) })),
    renumber() {
      const { text, samples } = renumber(variant.content.body, variant.content.samples)
      changeContent({ body: text, samples })
    },
    makeTemplate() {
      const made = makeTemplate(variant.content.body)
      if (made) changeContent({ body: made.text, samples: made.samples })
      return made !== undefined
    },
    /** Applies the saved state, without changes typed meanwhile. */
    markSaved: ({ language, template }: { language: string; template: WhatsappTemplate }, sent: WhatsappForm) =>
      setForm((form) => ({
        ...form,
        variants: form.variants.map((each) => savedAs(each, { language, template, sent })),
      })),
  }
}

function withContent(form: WhatsappForm, index: number, content: WhatsappTemplateContent): WhatsappForm {
  const variant = form.variants[index]
  return variant ? { ...form, variants: replaced(form.variants, index, { ...variant, content }) } : form
}

function replaced(variants: readonly Variant[], index: number, variant: Variant): Variant[] {
  return variants.map((each, place) => (place === index ? variant : each))
}

type Save = { language: string; template: WhatsappTemplate; sent: WhatsappForm }

function savedAs(variant: Variant, { language, template, sent }: Save): Variant {
  if (variant.language !== language) return variant
  const was = sent.variants.find((each) => each.language === language) ?? variant
  return { ...variant, id: template._id, status: template.status, saved: JSON.stringify(inputOf(sent, was)) }
}
