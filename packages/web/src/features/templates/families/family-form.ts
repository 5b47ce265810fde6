import type { Channel } from '@carillon/contract/channels'
import { findSharedTextProblem } from '@carillon/contract/shared-text'
import type { TemplateFamily } from '@carillon/contract/template-families'

/** What a channel sends: nothing, the shared text, or a template with a text of its own. */
export type RenditionMode = 'off' | 'text' | 'own'

export type Choice = {
  mode: RenditionMode
  templateId?: string | undefined
  /** For a new draft; absent: the first sender. */
  senderId?: string | undefined
}

export type FamilyForm = {
  name: string
  text: string
  choices: Partial<Record<Channel, Choice>>
}

export const emptyFamily: FamilyForm = { name: '', text: '', choices: {} }

export function formOf({ name, text, renditions }: TemplateFamily): FamilyForm {
  const choices = renditions.map(({ channel, templateId, followsText }): [Channel, Choice] => [
    channel,
    { mode: followsText ? 'text' : 'own', templateId },
  ])
  // Built from a list of channels with their choices.
  return { name, text, choices: Object.fromEntries(choices) as FamilyForm['choices'] }
}

export function choiceOf({ choices }: FamilyForm, channel: Channel): Choice {
  return choices[channel] ?? { mode: 'off' }
}

export function withChoice(form: FamilyForm, channel: Channel, patch: Partial<Choice>): FamilyForm {
  return { ...form, choices: { ...form.choices, [channel]: { ...choiceOf(form, channel), ...patch } } }
}

/** The error texts of name, text and renditions; empty if the family can be saved. */
export function findFormProblems(form: FamilyForm, canWrite: (channel: Channel) => boolean): Record<string, string> {
  // The keys are the channels of a choice.
  const used = (Object.entries(form.choices) as [Channel, Choice][]).filter(([, { mode }]) => mode !== 'off')
  const isShared = used.some(([, { mode }]) => mode === 'text')
  const textProblem =
    isShared && form.text.trim() === '' ? 'Enter the text, or choose templates' : findSharedTextProblem(form.text)
  const problems: Record<string, string | undefined> = {
    name: form.name.trim() === '' ? 'Enter a name' : undefined,
    text: textProblem,
    renditions: used.length === 0 ? 'Choose what at least one channel sends' : undefined,
  }
  for (const [channel, { mode, templateId }] of used) {
    if (mode === 'own' && templateId === undefined) problems[channel] = 'Choose a template'
    if (mode === 'text' && !canWrite(channel)) problems[channel] = 'A draft cannot be written yet'
  }
  return Object.fromEntries(Object.entries(problems).flatMap(([field, text]) => (text ? [[field, text]] : [])))
}
